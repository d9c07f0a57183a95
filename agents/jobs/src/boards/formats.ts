import { ashby } from './ashby.ts'
import type { BoardFormat } from './format.ts'
import type { BoardKind } from './board.ts'
import { greenhouse } from './greenhouse.ts'
import { lever } from './lever.ts'
import { recruitee } from './recruitee.ts'
import { smartrecruiters } from './smartrecruiters.ts'
import { workable } from './workable.ts'

/** How each board is read. */
export const formats: Readonly<Record<BoardKind, BoardFormat>> = {
  greenhouse,
  lever,
  ashby,
  workable,
  smartrecruiters,
  recruitee,
}
