// What a user sees and does in the page beyond driving: page.mjs SCENE BUILD_FOLDER URL OUT_FOLDER [SERVER_PID]
//
// Prints one JSON object. page_test.py runs it and judges.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  PATIENCE,
  becomes,
  differing,
  drawn,
  focusBy,
  mode,
  openPage,
  out,
  picture,
  pictures,
  playOne,
  rest,
  state,
} from "./chromium.mjs";

const placeOf = (page, body) => page.evaluate((name) => window.tactus.pixelOf(name), body);
const pressed = (page, id) => page.locator(`#${id}`).getAttribute("aria-pressed");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Lets a paused session make ticks, and waits for the picture of the last one. */
async function step(page, ticks) {
  const before = Number(/tick (\d+)/.exec(await page.locator("#state").textContent())[1]);
  await page.locator("[aria-label='Ticks of a step']").fill(String(ticks));
  await page.locator("#step").click();
  await page.waitForFunction((wanted) => window.tactus.tick() === wanted, before + ticks, PATIENCE);
  await pictures(page, 4);
}

/** The words and the colored pixels of the timeline of late ticks. */
const lateTicks = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById("timeline");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let colored = 0;
    for (let k = 3; k < data.length; k += 4) colored += data[k] > 0 ? 1 : 0;
    return { title: canvas.title, colored, sums: document.getElementById("late").textContent };
  });

await playOne({
  // Looks at the car from each camera, points at a wheel, and sees a server that was stopped for a moment.
  async look() {
    const page = await openPage();
    await drawn(page);
    const layout = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const outside = ["session", "start", "drive", "camera-orbit", "body", "plot-csv", "enter-safe", "timeline", "search"];
      const isOutside = (id) => {
        const { left, top, right, bottom, width } = document.getElementById(id).getBoundingClientRect();
        return width === 0 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
      };
      const { width, height } = document.getElementById("scene").getBoundingClientRect();
      return { scroll: [scrollWidth, scrollHeight], outside: outside.filter(isOutside), canvas: [width, height] };
    });
    const ticks = await page.evaluate(
      () =>
        new Promise((done) => {
          const found = [];
          const next = () => (found.push(window.tactus.drawnTick()) < 40 ? requestAnimationFrame(next) : done(found));
          next();
        }),
    );
    const caption = await page.locator("#caption").textContent();

    const causes = await page.locator("#causes").textContent();
    const server = Number(rest[0]);
    const calm = await lateTicks(page);
    process.kill(server, "SIGSTOP");
    await pause(400);
    process.kill(server, "SIGCONT");
    await page.waitForFunction(
      (before) => !["none", before].includes(document.getElementById("late").textContent),
      calm.sums,
      PATIENCE,
    );
    await page.waitForFunction(() => document.getElementById("timeline").title.includes("s ago"), null, PATIENCE);
    const late = await lateTicks(page);

    await page.locator("#pause").click();
    await state(page, "paused");
    await pictures(page, 10);
    const cameras = {};
    const through = async (camera) => {
      await page.locator(`#camera-${camera}`).click();
      await pictures(page, 10);
      const before = await placeOf(page, "chassis");
      await step(page, 100);
      const [after, left, right] = await Promise.all(["chassis", "wheel_rl", "wheel_rr"].map((body) => placeOf(page, body)));
      cameras[camera] = { moved: Math.hypot(after.x - before.x, after.y - before.y), chassis: after.x, wheels: [left.x, right.x] };
    };
    await through("follow");
    await through("orbit");

    // A wheel that turns, in a picture that moves with the car.
    await page.locator("#camera-follow").click();
    await pictures(page, 10);
    const wheel = await placeOf(page, "wheel_rr");
    const still = [await picture(page)];
    await pictures(page, 3);
    still.push(await picture(page));
    await step(page, 8); // half of the way from spoke to spoke at 19 m/s
    const turned = await picture(page);
    const spins = {
      still: await differing(page, still, wheel, [24, 24]),
      turned: await differing(page, [still[1], turned], wheel, [24, 24]),
    };

    // The path of the chassis, where it has been.
    await page.locator("#camera-orbit").click();
    const past = await placeOf(page, "chassis");
    await step(page, 300);
    const withTrail = await picture(page);
    await page.locator("#show-trail").click();
    await pictures(page, 3);
    const trail = await differing(page, [withTrail, await picture(page)], past, [40, 40]);

    // The name of what the mouse points at; a double click selects it.
    await page.locator("#camera-follow").click();
    await pictures(page, 5);
    const at = await placeOf(page, "wheel_rr");
    const { x, y } = await page.locator("#scene").boundingBox();
    const plain = await picture(page);
    await page.mouse.move(x + at.x, y + at.y);
    await page.locator("#hover").waitFor({ state: "visible", ...PATIENCE });
    const hovered = await page.locator("#hover").textContent();
    await page.mouse.dblclick(x + at.x, y + at.y);
    await page.waitForFunction(() => document.getElementById("search").value !== "", null, PATIENCE);
    const selected = {
      search: await page.locator("#search").inputValue(),
      signals: await page.locator("#tree input").evaluateAll((boxes) => boxes.map(({ value }) => value)),
      body: await page.locator("#body").inputValue(),
    };
    await page.mouse.move(5, 5);
    await pictures(page, 5);
    selected.marked = await differing(page, [plain, await picture(page)], at, [24, 24]);
    await page.screenshot({ path: join(out, "selected.png") });
    await page.locator("#body").selectOption("chassis");
    await through("chase");
    return { layout, ticks, caption, causes, late, cameras, spins, trail, hovered, selected };
  },

  // Drags a signal into the plots, zooms, reads values, and saves CSV and PNG.
  async plots() {
    const page = await openPage();
    await drawn(page);
    await page.locator("#search").fill("yaw_rate");
    const dragged = page.locator(".plot", { hasText: "yaw_rate" });
    for (let tries = 0; tries < 3 && (await dragged.count()) === 0; ++tries) {  // a busy browser can lose a gesture
      await page.locator("#tree label", { hasText: /^yaw_rate/ }).dragTo(page.locator("#plots"));
      await dragged.waitFor({ timeout: 5000 }).catch(() => {});
    }
    await dragged.waitFor(PATIENCE);  // a gesture can take effect late
    await page.evaluate(() => window.tactus.plot("chassis.r.x"));
    await page.locator("#plot-window").selectOption("1");
    await page.waitForFunction(() => window.tactus.points("chassis.r.x").values.filter((v) => v !== null).length > 1500, null, PATIENCE);
    await page.locator("#plot-pause").click();
    const points = await page.evaluate(() => window.tactus.points("chassis.r.x"));
    await page.locator("#plot-window").selectOption("0.5");
    await page.locator("#plot-window").selectOption("1");
    await pictures(page, 5);
    const whole = await page.evaluate(() => window.tactus.shownTime());
    const kept = (await page.evaluate(() => window.tactus.points("chassis.r.x").t.length)) === points.t.length;

    // A drag over the middle half of a plot.
    const plot = page.locator(".plot", { hasText: "chassis.r.x" });
    await plot.scrollIntoViewIfNeeded();
    const area = await plot.locator(".u-over").boundingBox();
    const across = (share) => [area.x + share * area.width, area.y + area.height / 2];
    await page.mouse.move(...across(0.25));
    await page.mouse.down();
    await page.mouse.move(...across(0.5));
    await page.mouse.move(...across(0.75));
    await page.mouse.up();
    await pictures(page, 5);
    const zoomed = await page.evaluate(() => window.tactus.shownTime());
    await page.mouse.move(...across(0.5));
    await pictures(page, 3);
    const cursor = await plot.locator(".u-value").allTextContents();
    await page.screenshot({ path: join(out, "plots.png") });
    // A narrower page has other plots, of the same time.
    const wide = await plot.locator(".u-over").evaluate(({ clientWidth }) => clientWidth);
    await page.setViewportSize({ width: 1180, height: 720 });
    await page.waitForFunction((former) => document.querySelector(".u-over").clientWidth < former, wide, PATIENCE);
    await pictures(page, 5);
    const resized = await page.evaluate(() => window.tactus.shownTime());
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.locator("#plot-whole").click();
    await pictures(page, 5);
    const left = await page.evaluate(() => window.tactus.shownTime());

    // Each plot has a picture of its own; which one comes first is chance.
    const saved = async (id, name) => {
      const wanted = page.waitForEvent("download", { ...PATIENCE, predicate: (file) => file.suggestedFilename() === name });
      const [file] = await Promise.all([wanted, page.locator(id).click()]);
      return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
    };
    const csv = await saved("#plot-csv", "signals.csv");
    const png = await saved("#plot-png", "yaw_rate.png");
    const painted = await page.evaluate(async (text) => {
      const shot = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
      const context = new OffscreenCanvas(shot.width, shot.height).getContext("2d");
      context.drawImage(shot, 0, 0);
      const { data } = context.getImageData(0, 0, shot.width, shot.height);
      return { width: shot.width, pixels: data.reduce((sum, v, k) => sum + (k % 4 === 3 && v > 128 ? 1 : 0), 0) };
    }, png.content.toString("base64"));
    return {
      ...{ points, kept, whole, zoomed, resized, cursor, left, painted },
      csv: { name: csv.name, text: csv.content.toString() },
      png: png.name,
    };
  },

  // Pictures that come late, on a large screen: the clock of the page runs ten times as fast.
  async late() {
    const page = await openPage("light", () => {
      const real = performance.now.bind(performance);
      performance.now = () => 10 * real();
    });
    await page.setViewportSize({ width: 1920, height: 1080 });
    await drawn(page);
    await page.waitForFunction(
      () => document.querySelector("[data-count=pictures]")?.textContent.includes("25 %"),
      null,
      PATIENCE,
    );
    await pictures(page, 3);
    const canvas = await page.evaluate(() => {
      const { width, clientWidth } = document.getElementById("scene");
      return { width, clientWidth };
    });
    return { canvas, words: await page.locator("[data-count=pictures]").textContent(), at: await placeOf(page, "chassis") };
  },

  // A chain of many links, from so far that each link is thinner than a pixel: how dark the darkest pixel of the picture is
  // near links, and away from the chain.
  async many() {
    const page = await openPage();
    await drawn(page);
    await page.locator("#pause").click();
    await state(page, "paused");
    await pictures(page, 10);
    const data = await picture(page);
    const links = await Promise.all([20, 100, 200].map((number) => placeOf(page, `link_${number}`)));
    const darkest = (at) =>
      page.evaluate(
        async ([shown, { x, y }, side]) => {
          const shot = await createImageBitmap(new Blob([Uint8Array.from(atob(shown), (c) => c.charCodeAt(0))]));
          const context = new OffscreenCanvas(shot.width, shot.height).getContext("2d");
          context.drawImage(shot, 0, 0);
          const pixels = context.getImageData(x - side / 2, y - side / 2, side, side).data;
          let least = 255;
          for (let k = 0; k < pixels.length; k += 4) least = Math.min(least, pixels[k]);
          return least;
        },
        [data, at, 12],
      );
    await page.screenshot({ path: join(out, "many.png") });
    // Across the chain, which hangs down after a while.
    const [first, , last] = links;
    const [along, down] = [last.x - first.x, last.y - first.y];
    const far = 30 / Math.hypot(along, down);
    const beside = links.map(({ x, y }) => ({ x: x - far * down, y: y + far * along }));
    return { links, on: await Promise.all(links.map(darkest)), off: await Promise.all(beside.map(darkest)) };
  },

  // The body that the camera follows at first.
  async first() {
    const page = await openPage();
    await drawn(page);
    await pictures(page, 5);
    return { body: await page.locator("#body").inputValue(), caption: await page.locator("#caption").textContent() };
  },

  // Drives, plots, selects and turns the camera without a mouse.
  async keyboard() {
    const page = await openPage();
    await drawn(page);
    await focusBy(page, "Tab", "#drive");
    await page.keyboard.press("Enter");
    await becomes(page, "pedals", ["driven"]);
    await page.keyboard.down("ArrowUp");
    await page.waitForFunction(() => document.querySelector("[data-input=throttle]").value === "1", null, PATIENCE);
    await page.keyboard.up("ArrowUp");
    const driven = await mode(page, "pedals");
    await focusBy(page, "Tab", "#release");
    await page.keyboard.press("Space");
    await becomes(page, "pedals", ["free", "ramping", "safe"]);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Space");
    await state(page, "paused");
    const before = await pressed(page, "camera-follow");
    await page.keyboard.press("c");
    await page.keyboard.press("c");
    const cameras = [before, await pressed(page, "camera-follow"), await pressed(page, "camera-orbit")];
    await pictures(page, 10);
    const wheels = [await placeOf(page, "wheel_fr")];
    for (let press = 0; press < 5; ++press) await page.keyboard.press("Shift+ArrowLeft");
    await pictures(page, 10);
    wheels.push(await placeOf(page, "wheel_fr"));

    await page.keyboard.press("/");
    await page.keyboard.type("yaw_rate");
    await focusBy(page, "Tab", "#tree input[value=yaw_rate]", 20);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelectorAll(".plot").length > 0, null, PATIENCE);
    await focusBy(page, "Shift+Tab", "#body");
    await page.keyboard.type("wheel_rl");
    await page.waitForFunction(() => document.getElementById("search").value === "wheel_rl.", null, PATIENCE);
    return { driven, cameras, wheels, plots: await page.locator(".u-legend").textContent() };
  },
});
