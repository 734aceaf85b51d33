// The standard streams of the program, whatever its caller has made of them.
#pragma once

namespace tactus::server {

/// Gives each closed one of the descriptors 0 to 2 a place that reads as empty and cannot be written. Else the next
/// file that is opened gets that number, and what is printed goes into that file. Call it before anything is opened.
/// @returns false if that is not possible
bool holdStandardStreams() noexcept;

/// Writes what stdout still keeps.
/// @returns false if something that was printed could not be written
bool flushStandardOutput();

/// For a program that must hear signals: opens stdout and stderr anew where they are terminals, so that a write does
/// not wait for ever. What a terminal does not take within half a second is dropped, and so is all else that does not
/// fit until it takes a whole text again. The terminal of other processes stays as it is.
void keepTerminalsFromBlocking();

}  // namespace tactus::server
