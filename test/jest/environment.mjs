import { createRequire } from 'node:module';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { compileFunction } = vm;

// Without a context of its own, a test file runs in the realm of Node.js, as the nodes do in n8n: an error that n8n
// throws is an `Error` here too, and packages can be loaded once for all files.
vm.compileFunction = (source, parameters, { parsingContext, ...options }) =>
  compileFunction(source, parameters, parsingContext.inRealm ? options : { ...options, parsingContext });

globalThis.requirePackage = createRequire(import.meta.url);

// With each test file, n8n makes services that listen for the end of the process.
process.setMaxListeners(0);

/** Where a test file runs: packages are those of the process, modules of this project are the file's own. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.context.inRealm = true;
    this.global = globalThis;
  }

  /** Takes the services of n8n away that the file before has used. */
  async setup() {
    await super.setup();
    // For the modules of the sandbox, which are of TypeScript.
    await import('tsx/cjs');
    const { Container } = await import('@n8n/di');
    Container.reset();
  }
}
