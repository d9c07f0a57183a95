import type { Definition, FootnoteDefinition, Nodes } from 'mdast'

import type { Block } from './document.ts'

/** The names that a block uses, each as often as it does. */
type Uses = {
  readonly links: readonly string[]
  readonly notes: readonly string[]
  /** The names of links that it defines. */
  readonly defines: readonly string[]
}

/** What the names in a block stand for. */
export type Scope = {
  readonly definitions: readonly Definition[]
  /** Names that are defined here, and that nothing uses. */
  readonly unused: readonly string[]
  /** Footnotes that are referred to here. The first reference to one is where its way back leads. */
  readonly notes: readonly { readonly name: string; readonly number: number; readonly isFirst: boolean }[]
}

export type References = {
  /** In the order of their numbers. Those that no block refers to come last. */
  readonly notes: readonly FootnoteDefinition[]
  scopeOf(node: Nodes): Scope
}

const found = new WeakMap<Nodes, Uses>()

/** Finds what the names of a text stand for. The first definition of a name counts. */
export function referencesIn(blocks: readonly Block[], nodes: readonly Nodes[]): References {
  const links = new Map<string, Definition>()
  const notes = new Map<string, FootnoteDefinition>()
  for (const definition of blocks.flatMap(({ definitions }) => definitions)) {
    const { identifier } = definition
    if (definition.type === 'definition') links.set(identifier, links.get(identifier) ?? definition)
    else notes.set(identifier, notes.get(identifier) ?? definition)
  }
  const used = new Set(nodes.flatMap((node) => usesOf(node).links))
  const order = new Set<string>()
  const firstAt = new Map<string, Nodes>()
  const addNotes = (node: Nodes): void => {
    for (const name of usesOf(node).notes) {
      if (!notes.has(name) || order.has(name)) continue
      order.add(name)
      firstAt.set(name, node)
    }
  }
  for (const node of nodes) addNotes(node)
  // A set goes on with what is added to it meanwhile.
  for (const name of order) addNotes(notes.get(name) ?? { type: 'root', children: [] })
  for (const name of notes.keys()) order.add(name)
  const numbers = new Map([...order].map((name, index) => [name, index + 1]))
  for (const note of notes.values()) for (const link of usesOf(note).links) used.add(link)
  return {
    notes: [...order].flatMap((name) => notes.get(name) ?? []),
    scopeOf(node) {
      const uses = usesOf(node)
      const isFirst = (name: string): boolean => firstAt.get(name) === node
      return {
        definitions: [...new Set(uses.links)].flatMap((name) => links.get(name) ?? []),
        unused: uses.defines.filter((name) => !used.has(name)),
        notes: [...new Set(uses.notes)].flatMap((name) => {
          const number = numbers.get(name)
          return number === undefined ? [] : [{ name, number, isFirst: isFirst(name) }]
        }),
      }
    },
  }
}

/** Goes through the tree without calls in each other: a deep one overflows no stack. */
function usesOf(node: Nodes): Uses {
  const earlier = found.get(node)
  if (earlier) return earlier
  const uses = { links: [] as string[], notes: [] as string[], defines: [] as string[] }
  const rest: Nodes[] = [node]
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (next.type === 'definition') uses.defines.push(next.identifier)
    else if (next.type === 'footnoteReference') uses.notes.push(next.identifier)
    else if (next.type === 'linkReference' || next.type === 'imageReference') uses.links.push(next.identifier)
    if (!('children' in next)) continue
    for (const child of next.children.toReversed()) rest.push(child)
  }
  found.set(node, uses)
  return uses
}
