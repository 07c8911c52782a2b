const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
  roots: ['credentials', 'nodes', 'sandbox', 'test', 'tools'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['<rootDir>/test/{unit,sandbox,nodes,package}/**/*.test.ts'],
  // These packages are ES modules, which Jest runs only when they are transformed.
  transformIgnorePatterns: ['/node_modules/(?!(jose|mime|@apidevtools)/)'],
  transform: {
    '^.+\\.[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  setupFiles: ['reflect-metadata'],
  // Half of the time, tests wait: for retries, deliveries, programs that start.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  testTimeout: 60_000,
};
