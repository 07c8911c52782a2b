const { availableParallelism } = require('node:os');
const { devDependencies } = require('./package.json');

const packages = Object.keys(devDependencies).filter((name) => !/jest|^@types\//.test(name));
// Node.js 20 has no RegExp.escape.
const ROOT = __dirname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const SANDBOX = `^${ROOT}/(sandbox/|test/support/sandbox/contract)`;

/** @type {import('jest').Config} */
module.exports = {
  roots: ['credentials', 'nodes', 'sandbox', 'test', 'tools'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['<rootDir>/test/{unit,sandbox,nodes,package}/**/*.test.ts'],
  testEnvironment: '<rootDir>/test/jest/environment.mjs',
  transformIgnorePatterns: [],
  transform: {
    // Loaded once for all test files of a process: n8n-core alone takes two seconds to load, and the first sandbox of a
    // process half a second to start.
    [`/node_modules/(${packages.join('|')})/|/test/support/.+\\.mjs$|${SANDBOX}`]:
      '<rootDir>/test/jest/process-wide.mjs',
    '^.+\\.[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/test/jest/array-lengths.mjs'],
  // Half of the time, tests wait: for retries, deliveries, programs that start.
  maxWorkers: 3 * availableParallelism(),
  testTimeout: 60_000,
};
