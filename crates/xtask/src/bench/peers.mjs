// cheerio, doing less than we do: parse, select the cards, read their text.
// Reads lines `file TAB selector`; prints one JSON object: name -> file -> median seconds.
import { readFileSync } from "node:fs";
import { load } from "cheerio";

const pages = readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => line.split("\t"));
const texts = new Map(pages.map(([file]) => [file, readFileSync(file, "utf8")]));
const times = new Map(pages.map(([file]) => [file, []]));
for (let round = 0; round < 3; round += 1) {
  for (const [file, selector] of pages) {
    const started = performance.now();
    const $ = load(texts.get(file));
    $(selector).map((_, card) => $(card).text()).get();
    times.get(file).push((performance.now() - started) / 1000);
  }
}
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
console.log(JSON.stringify({
  cheerio: Object.fromEntries([...times].map(([file, list]) => [file, median(list)])),
}));
