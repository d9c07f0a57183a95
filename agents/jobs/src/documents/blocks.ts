import type { RichText } from '../markdown/rich-text.ts'

/** What a resume is made of, in the order of reading. `depth` counts the lists around it. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: RichText }
  | { readonly kind: 'paragraph'; readonly depth: number; readonly text: RichText }
  | {
      readonly kind: 'item'
      readonly depth: number
      /** Its number in an ordered list; without one it has a bullet. */
      readonly number?: number
      /** Whether an ordered list begins with it. */
      readonly starts?: boolean
      readonly text: RichText
    }
  /** One row of a table. */
  | { readonly kind: 'row'; readonly head: boolean; readonly cells: readonly RichText[] }
  | { readonly kind: 'rule' }

export type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>

/** A resume as it is read: whose it is, how to reach them, and the rest. */
export type Resume = {
  readonly name?: RichText
  /** Lines. */
  readonly contact: readonly RichText[]
  readonly blocks: readonly Block[]
}
