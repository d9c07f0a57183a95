import table from './implied-skills.json' with { type: 'json' }

/** For each skill, those that a posting can expect of everyone who has it. */
const implied = new Map<string, readonly string[]>(Object.entries(table))

/** Adds the skills that these skills imply. */
export function withImplied(names: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(names)
  // The loop visits names that it adds to the set.
  for (const name of all) for (const other of implied.get(name) ?? []) all.add(other)
  return all
}
