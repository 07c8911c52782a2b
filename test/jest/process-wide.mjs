/** Makes Jest take a module that Node.js has loaded for the process, instead of loading it for each test file. */
export default {
  process: (_source, path) => ({ code: `module.exports = requirePackage(${JSON.stringify(path)});` }),
};
