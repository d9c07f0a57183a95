import type { Literal, Nodes, Root } from 'mdast'
import { fromMarkdown, type CompileContext, type Extension, type Token } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Extension as Syntax } from 'micromark-util-types'

import { definedNames, type DefinedNames } from './defined-names.ts'
import { mathSyntax } from './math-syntax.ts'
import { tagSyntax } from './tag-syntax.ts'

declare module 'mdast' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It is theirs, and extended here.
  interface RootContentMap {
    formula: Formula
    formulaBlock: FormulaBlock
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- It is theirs, and extended here.
  interface PhrasingContentMap {
    formula: Formula
  }
}

type FormulaFacts = {
  /** In TeX. */
  value: string
  /** With the signs around it. */
  source: string
  /** Whether it stands on a line of its own. */
  isDisplay: boolean
}
type Formula = Literal & { type: 'formula' } & FormulaFacts
type FormulaBlock = Literal & { type: 'formulaBlock' } & FormulaFacts

/** Parses a text. What `names` has counts as defined in it. */
export function parseMarkdown(text: string, names: DefinedNames, cjk: Syntax | undefined): Root {
  return fromMarkdown(text, {
    extensions: [gfm(), mathSyntax, tagSyntax, definedNames(names), ...(cjk ? [cjk] : [])],
    mdastExtensions: [gfmFromMarkdown(), nodes],
  })
}

const nodes: Extension = {
  enter: {
    tagLine(token) {
      this.enter({ type: 'paragraph', children: [] }, token)
    },
  },
  exit: {
    tagLine(token) {
      this.exit(token)
    },
    mathText(token) {
      addLeaf(this, token, { type: 'formula', ...formulaIn(this.sliceSerialize(token)) })
    },
    mathFlow(token) {
      addLeaf(this, token, { type: 'formulaBlock', ...formulaIn(this.sliceSerialize(token)) })
    },
    mathFlowRest(token) {
      const value = this.sliceSerialize(token).trim()
      if (value !== '') addLeaf(this, token, { type: 'paragraph', children: [{ type: 'text', value }] })
    },
  },
}

function addLeaf(context: CompileContext, token: Token, node: Nodes): void {
  context.enter(node, token)
  context.exit(token)
}

function formulaIn(source: string): FormulaFacts {
  const width = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2
  const end = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' }[source.slice(0, width)] ?? ''
  const isClosed = source.length >= 2 * width && source.endsWith(end)
  const value = source.slice(width, isClosed ? -width : undefined).trim()
  return { value, source, isDisplay: end === '$$' || end === '\\]' }
}
