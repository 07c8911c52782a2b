// How many events a second n8n's default expression engine lets through when there is nothing else to do: two isolates
// for each, made and ended as n8n does, one after the other. Runs on n8n's own Node.js.
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const [n8n, width] = process.argv.slice(2);
const { IsolatedVmBridge } = createRequire(n8n)('@n8n/expression-runtime');

async function isolate() {
  const bridge = new IsolatedVmBridge();
  await bridge.initialize();
  await bridge.dispose();
}

const EVENTS_OF_A_LANE = 2;

async function lane() {
  for (let event = 0; event < EVENTS_OF_A_LANE; event += 1) {
    await isolate();
    await isolate();
  }
}

// The first one loads the native module.
await isolate();
const started = performance.now();
await Promise.all(Array.from({ length: Number(width) }, lane));
console.log((EVENTS_OF_A_LANE * Number(width)) / ((performance.now() - started) / 1000));
