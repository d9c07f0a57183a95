import assert from 'node:assert/strict'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { rolldown } from 'rolldown'

import { SHARED } from './join-shared.mjs'

/**
 * Joins the modules of a built package into few files: Node takes about 0.3 ms to find and load each one, and the
 * server has a thousand. What is loaded at first use stays apart. Declarations stay as they are. `joined`: the npm
 * packages whose code comes along.
 */
export async function bundlePackage(folder, { exports = {}, bin = {} }, { joined }) {
  const dist = join(folder, 'dist')
  const modules = globSync('**/*.js', { cwd: dist })
  const text = Object.fromEntries(modules.map((file) => [file, readFileSync(join(dist, file), 'utf8')]))
  const named = [...Object.values(exports).map(({ default: path }) => path), ...Object.values(bin)]
  const published = new Set(named.map((path) => path && relative('dist', path)))
  const workers = new Set(modules.flatMap((file) => modulesByPath(file, text[file])))
  const isEntry = (file) => published.has(file) || workers.has(file) || findsFiles(text[file])
  const entries = modules.filter(isEntry)

  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), join(dist, file)])),
    preserveEntrySignatures: 'allow-extension',
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !joined.includes(id),
  })
  const { output } = await bundle.write({
    dir: dist,
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: { jsdoc: false },
  })
  await bundle.close()
  for (const { fileName, imports } of output)
    assert.ok(
      !imports.some((name) => SHARED.includes(name)),
      `${fileName} loads a second copy of what is joined`,
    )
  for (const { fileName, moduleIds } of output)
    for (const module of moduleIds.map((id) => relative(dist, id)))
      if (findsFiles(text[module] ?? ''))
        assert.equal(dirname(fileName), dirname(module), `${module} looks for files where it was before`)

  const files = new Set(output.map(({ fileName }) => fileName))
  for (const file of modules) if (!files.has(file)) rmSync(join(dist, file))
}

/** The modules that it starts by their path, in threads. */
function modulesByPath(file, text) {
  const paths = text.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)
  return [...paths].map(([, path]) => `${join(dirname(file), path)}.js`)
}

/** Whether the module looks for files by its own path. */
function findsFiles(text) {
  return text.includes('import.meta')
}
