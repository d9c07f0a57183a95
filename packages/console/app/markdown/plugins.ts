import type { PluggableList } from 'unified'
import remarkGfm from 'remark-gfm'

type Plugins = { readonly remark: PluggableList; readonly rehype: PluggableList }

/** Plug-ins that only some texts need. Each is loaded with the first such text. */
const optional = {
  math: {
    needs: /\$\$|\\[([]/,
    load: () =>
      import('./math-plugins.ts').then(({ remark, rehype }) => ({
        // A single dollar is money.
        remark: [[remark, { singleDollarTextMath: false }]],
        rehype: [rehype],
      })),
  },
  // CommonMark does not see emphasis next to Chinese punctuation.
  cjk: {
    needs: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
    load: () =>
      import('remark-cjk-friendly').then(({ default: plugin }) => ({ remark: [plugin], rehype: [] })),
  },
} as const satisfies Record<string, { needs: RegExp; load: () => Promise<Plugins> }>

type Name = keyof typeof optional

const names = Object.keys(optional) as Name[]
const loaded = new Map<Name, Plugins>()

/** The optional plug-ins that a text needs, as a key: texts with equal keys are parsed alike. */
export function pluginsKey(text: string): string {
  return names.filter((name) => optional[name].needs.test(text)).join(' ')
}

/** Loads the plug-ins of a key. Resolves to true if one of them was not there before. */
export async function loadPlugins(key: string): Promise<boolean> {
  const missing = names.filter((name) => key.includes(name) && !loaded.has(name))
  await Promise.all(missing.map(async (name) => loaded.set(name, await optional[name].load())))
  return missing.length > 0
}

/** The plug-ins of a key that are there. */
export function pluginsOf(key: string): Plugins {
  const found = names.flatMap((name) => (key.includes(name) ? (loaded.get(name) ?? []) : []))
  return {
    remark: [remarkGfm, ...found.flatMap(({ remark }) => remark)],
    rehype: found.flatMap(({ rehype }) => rehype),
  }
}
