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

}  // namespace tactus::server
