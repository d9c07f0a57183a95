// Writes dist/: each package as it is published, with JavaScript and declarations in place of its sources.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { bundlePackage } from './bundle-package.mjs'
import { SHARED, sharedExports, useShared, writeShared } from './join-shared.mjs'
import { outDir, root, workspacePackages } from './workspace.mjs'

const compiled = join(outDir, 'compiled')
const ZOD_RANGE = '^4.0.0'
/** Files that code reads at run time and that no compiler copies. */
const ASSETS = ['src/**/*.md', 'src/**/*.json', 'template/**', 'README.md']
/** A page's bundler joins the client. The kit exports each module. The image edits the server's main.js. */
const IN_MODULES = new Set(['@dragoman/client', '@dragoman/agent-kit', '@dragoman/server', 'create-dragoman'])

// A removed file must not stay in what is published.
rmSync(outDir, { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

const core = workspacePackages.find(({ name }) => name === 'dragoman')
for (const { folder, manifest, built } of workspacePackages) {
  mkdirSync(built, { recursive: true })
  renameSync(join(compiled, folder, 'src'), join(built, 'dist'))
  for (const file of globSync(ASSETS, { cwd: join(root, folder), exclude: ['**/*.fixture.json'] })) {
    const target = join(built, file.replace(/^src\//, 'dist/'))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, folder, file), target, { recursive: true })
  }
  cpSync(join(root, 'LICENSE'), join(built, 'LICENSE'))
  for (const bin of Object.values(manifest.bin ?? {})) chmodSync(join(built, compiledPath(bin)), 0o755)
  writeFileSync(join(built, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`)
}
for (const { folder, built } of workspacePackages) {
  const page = join(root, folder, 'page')
  // What set-up has built for browsers.
  if (existsSync(page))
    cpSync(page, join(built, 'page'), { recursive: true, filter: (path) => !path.endsWith('.built-from') })
}
bundleEvents()
await writeShared(
  core.built,
  workspacePackages.map(({ built }) => built),
)
for (const { name, manifest, built } of workspacePackages) {
  if (name !== core.name && core.name in (manifest.dependencies ?? {})) useShared(built)
  if (!IN_MODULES.has(name))
    await bundlePackage(built, published(manifest), { joined: name === core.name ? SHARED : [] })
}
rmSync(compiled, { recursive: true })

/**
 * The manifest in the repository names sources, so that they run without a build, and pins what it was tested with. An
 * application takes what fits: zod is its own, since its schemas are of that zod's types.
 */
function published({ exports, bin, dependencies = {}, peerDependencies, ...manifest }) {
  const { zod, ...others } = dependencies
  const peers = { ...peerDependencies, ...(zod && { zod: ZOD_RANGE }) }
  return {
    ...manifest,
    dependencies: Object.fromEntries(Object.entries(others).map(([name, pin]) => [name, rangeOf(name, pin)])),
    ...(Object.keys(peers).length > 0 && { peerDependencies: peers }),
    private: undefined,
    devDependencies: undefined,
    scripts: undefined,
    ...(bin && { bin: mapValues(bin, compiledPath) }),
    exports: {
      ...mapValues(exports, (path) =>
        path.endsWith('.ts')
          ? { types: compiledPath(path).replace(/\.js$/, '.d.ts'), default: compiledPath(path) }
          : path,
      ),
      ...(manifest.name === core.name && sharedExports),
    },
  }
}

/** Our own packages have one version. pi is driven through what its other versions need not have. */
function rangeOf(name, pin) {
  const isExact = workspacePackages.some((each) => each.name === name) || name.startsWith('@earendil-works/')
  return isExact ? pin : `^${pin}`
}

function compiledPath(path) {
  return path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js')
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

/**
 * The client runs in pages without other packages. It gets its own copy of the events and of the wire formats' types.
 */
function bundleEvents() {
  const client = workspacePackages.find(({ name }) => name === '@dragoman/client')
  const target = join(client.built, 'dist')
  const copied = ['events/**/*.{js,d.ts}', 'protocols/*/wire.{js,d.ts}']
  for (const file of globSync(copied, { cwd: join(core.built, 'dist') })) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(core.built, 'dist', file), join(target, file))
  }
  for (const file of globSync('*.{js,d.ts}', { cwd: target })) {
    const path = join(target, file)
    const copyOf = (_match, subpath) =>
      `'${compiledPath(core.manifest.exports[`./${subpath}`]).replace('./dist/', './')}'`
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/'dragoman\/([^']+)'/g, copyOf))
  }
}
