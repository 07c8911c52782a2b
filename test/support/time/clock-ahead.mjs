// Preloaded into n8n: its clock runs ahead by the milliseconds that a file says, as the sandbox's may do.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;
const { CLOCK_AHEAD } = process.env;
const now = Date.now;
let ahead = 0;
let lookedAt = 0;

Date.now = () => {
  if (CLOCK_AHEAD !== undefined && now() - lookedAt >= LOOK_EVERY_MS) {
    lookedAt = now();
    ahead = Number(readFileSync(CLOCK_AHEAD, 'utf8'));
  }
  return now() + ahead;
};
globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [Date.now()] : values, made),
});
