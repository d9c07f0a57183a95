import { keepMatching } from '../search/keep-matching.ts'
import { decodeText } from '../workspace/read-text.ts'
import { changeText, createText } from './change-text.ts'
import { partOfText, startOfText } from './part-of-text.ts'
import { readPart } from './read-part.ts'
import { unifiedDiff, type UnifiedDiff } from './unified-diff.ts'

type Comparison = {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly names: readonly [string, string]
}

type Operations = {
  readonly change: typeof changeText
  readonly compare: (input: Comparison, isIsolated: boolean) => Promise<UnifiedDiff>
  readonly create: typeof createText
  readonly match: typeof keepMatching
  readonly part: typeof partOfText
  readonly read: typeof readPart
  readonly start: typeof startOfText
}
export type OperationName = keyof Operations
export type Input<Name extends OperationName> = Parameters<Operations[Name]>[0]
export type Output<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>

export type TextRequest<Name extends OperationName = OperationName> = {
  readonly name: Name
  readonly input: Input<Name>
}

/** Work on whole texts, which takes as long as they are large. What would take long needs to be isolated. */
const operations: {
  readonly [Name in OperationName]: (
    input: Input<Name>,
    isIsolated: boolean,
  ) => Output<Name> | Promise<Output<Name>>
} = {
  change: changeText,
  compare: async ({ before, after, names }, isIsolated) =>
    unifiedDiff(decodeText(before).text, decodeText(after).text, names, { isIsolated }),
  create: createText,
  match: keepMatching,
  part: partOfText,
  read: readPart,
  start: startOfText,
}

/** @throws ServiceError of the operation; `NeedsIsolation` */
export async function operateOnText<Name extends OperationName>(
  { name, input }: TextRequest<Name>,
  isIsolated: boolean,
): Promise<Output<Name>> {
  return operations[name](input, isIsolated)
}
