import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { types } from 'node:util'

import { root } from './workspace.mjs'

/**
 * The npm packages of hundreds of small files that each start needs. The core has each one joined, and all packages
 * here use that copy: a second one would be loaded as well. They stay dependencies, for types and for other agents.
 */
export const SHARED = ['kysely', 'zod']
/** Where the core publishes them. */
export const sharedExports = Object.fromEntries(
  SHARED.map((name) => [
    `./joined/${name}`,
    { types: `./dist/joined/${name}.d.ts`, default: `./dist/joined/${name}.js` },
  ]),
)
const IMPORT = new RegExp(`import \\{([^}]+)\\} from '(${SHARED.join('|')})'`, 'g')

/** Writes the modules that `sharedExports` names, with what the compiled packages use and no more. */
export async function writeShared(core, packages) {
  const target = join(core, 'dist/joined')
  mkdirSync(target)
  const texts = packages.flatMap(modulesIn).map((path) => readFileSync(path, 'utf8'))
  for (const shared of SHARED) {
    const module = await import(shared)
    const users = texts.filter((text) => text.includes(`from '${shared}'`))
    const lines = namesFrom(shared, users).map((name) => {
      if (!types.isModuleNamespaceObject(module[name])) return `export { ${name} } from '${shared}'`
      const fields = fieldsOf(name, users).filter((field) => field in module[name])
      writeFileSync(join(target, `${name}.js`), `export { ${fields.join(', ')} } from '${shared}'\n`)
      return `export * as ${name} from './${name}.js'`
    })
    writeFileSync(join(target, `${shared}.js`), `${lines.join('\n')}\n`)
    writeFileSync(join(target, `${shared}.d.ts`), `export * from '${shared}'\n`)
    // The joined code is under it.
    cpSync(join(root, 'node_modules', shared, 'LICENSE'), join(target, `${shared}.LICENSE`))
  }
}

/** Lets the modules of a package take them from the core. */
export function useShared(folder) {
  for (const path of modulesIn(folder)) {
    const text = readFileSync(path, 'utf8')
    const changed = text.replaceAll(IMPORT, "import {$1} from 'dragoman/joined/$2'")
    if (changed !== text) writeFileSync(path, changed)
  }
}

function namesFrom(shared, texts) {
  const imports = texts.flatMap((text) => [...text.matchAll(IMPORT)]).filter(([, , from]) => from === shared)
  return distinct(imports.flatMap(([, list]) => list.split(',')).map((name) => name.trim().split(' as ')[0]))
}

function fieldsOf(name, texts) {
  const field = new RegExp(`\\b${name}\\.(\\w+)`, 'g')
  return distinct(texts.flatMap((text) => [...text.matchAll(field)]).map(([, found]) => found))
}

function distinct(names) {
  return [...new Set(names)]
}

function modulesIn(folder) {
  return globSync('dist/**/*.js', { cwd: folder }).map((file) => join(folder, file))
}
