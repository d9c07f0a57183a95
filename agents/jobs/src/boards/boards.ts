import { boardKinds, type Board, type BoardKind, type PostingAddress } from './board.ts'
import { formats } from './formats.ts'
import { boardOfFormat } from './read-board.ts'

export { boardKinds, type Board, type BoardKind, type BoardPosting, type World } from './board.ts'

/** All boards that can be read. */
export const boards: readonly Board[] = boardKinds.map((kind) => boardOfFormat(formats[kind]))

/** @returns the board of a kind */
export function boardFor(kind: BoardKind): Board {
  const found = boards.find((board) => board.kind === kind)
  if (!found) throw new Error(`There is no board ${kind}.`)
  return found
}

/** Whose board an address belongs to, if to any. */
export function boardOf(url: URL): { readonly board: Board; readonly slug: string } | undefined {
  for (const board of boards) {
    const slug = board.slugOf(url)
    if (slug !== undefined && board.isSlug(slug)) return { board, slug }
  }
  return undefined
}

/** Which posting of a board an address means, if any. */
export function boardPosting(url: URL): ({ readonly board: Board } & PostingAddress) | undefined {
  for (const board of boards) {
    const found = board.postingOf(url)
    if (found && board.isSlug(found.slug)) return { board, ...found }
  }
  return undefined
}
