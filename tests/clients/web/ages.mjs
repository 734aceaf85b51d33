// Opens pages and lets them draw: ages.mjs watch BUILD_FOLDER URL - PAGES SECONDS SIGNALS
//
// SIGNALS is how many signals each page plots, at every tick.
//
// Prints the ages of the newest pictures of each page, in ms, how many pictures it drew, and the processor time of the
// browser. tests/bench/picture_age.py runs it.
import { browserProcesses, drawn, openPage, playOne, rest, timeOf } from "./chromium.mjs";

await playOne({
  async watch() {
    const [count, seconds, plotted] = rest.map(Number);
    const pages = [];
    for (let index = 0; index < count; ++index) {
      const page = await openPage();
      await drawn(page);
      if (plotted > 0)
        await page.evaluate((wanted) => {
          const names = window.tactus.signals().slice(0, wanted);
          for (const name of names) window.tactus.plot(name);
        }, plotted);
      pages.push(page);
    }
    const watch = (milliseconds) =>
      new Promise((done) => {
        const end = performance.now() + milliseconds;
        let pictures = 0;
        const next = (now) => {
          ++pictures;
          if (now < end) requestAnimationFrame(next);
          else done({ ages: window.tactus.ages().slice(-pictures), pictures });
        };
        requestAnimationFrame(next);
      });
    const before = timeOf(browserProcesses());
    const seen = await Promise.all(pages.map((page) => page.evaluate(watch, 1000 * seconds)));
    return { pages: seen, processor_ms: timeOf(browserProcesses()) - before };
  },
});
