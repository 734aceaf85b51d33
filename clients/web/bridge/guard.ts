// What a client sends must not end the bridge, whatever it is.
import type { WebSocket } from "ws";

const INTERNAL_ERROR = 1011; // close code of RFC 6455, 7.4.1

/** Does what a message of a client, or a row for it, asks for. An error there ends the connection of this client alone. */
export function guarded(socket: WebSocket, act: () => void): void {
  try {
    act();
  } catch (error) {
    process.stderr.write(`tactus view: a connection is closed: ${(error as Error).message}\n`);
    socket.close(INTERNAL_ERROR, "the bridge failed at a message of this connection");
  }
}
