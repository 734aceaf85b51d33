// What a client of the bridge hears, for scripts that speak to the bridge.

/** Keeps the words that come, and wakes those that wait for some. */
export class Heard {
  constructor(socket) {
    this.socket = socket;
    this.words = [];
    this.waiting = [];
    socket.on("message", (data, binary) => {
      if (binary) this.takeBinary(data);
      else this.words.push(JSON.parse(String(data)));
      this.waiting = this.waiting.filter((check) => !check());
    });
  }

  /** Waits until `find` is not undefined. */
  until(find) {
    return new Promise((done) => {
      const check = () => {
        const found = find();
        if (found !== undefined) done(found);
        return found !== undefined;
      };
      if (!check()) this.waiting.push(check);
    });
  }
}
