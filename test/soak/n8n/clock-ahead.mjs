// Preloaded into n8n: its clock runs ahead by the milliseconds that a file says, as the sandbox's does.
import { readFileSync } from 'node:fs';

const { CLOCK_AHEAD } = process.env;
const ahead = CLOCK_AHEAD === undefined ? 0 : Number(readFileSync(CLOCK_AHEAD, 'utf8'));
const now = Date.now;

Date.now = () => now() + ahead;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [Date.now()] : values, made),
});
