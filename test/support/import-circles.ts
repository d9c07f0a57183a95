import { posix } from 'node:path'

import { importsOf, IS_TEST, MANIFESTS } from './import-rules.ts'

/** The file that an import names, if it is one of this repository. */
function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  for (const [folder, { name, exports }] of MANIFESTS) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue
    const subpath = `.${specifier.slice(name.length)}`
    const target = exports[subpath] ?? exports['./*']?.replace('*', subpath.slice(2))
    return target && posix.join(folder, target)
  }
  return undefined
}

/** The first circle of imports, types included. */
export function findCircle(sources: ReadonlyMap<string, string>): string[] | undefined {
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const { specifier } of importsOf(sources.get(path) ?? '')) {
      const target = resolve(path, specifier)
      const circle = target !== undefined && sources.has(target) ? walk(target, [...trail, path]) : undefined
      if (circle) return circle
    }
    done.add(path)
    return undefined
  }
  for (const path of sources.keys()) {
    const circle = IS_TEST.test(path) ? undefined : walk(path, [])
    if (circle) return circle
  }
  return undefined
}
