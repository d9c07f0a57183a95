const CONFIRM_TIMEOUT_MS = 600_000

const CONFIRMS: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:是的?|好的?|嗯|对|對)?[,，\s]*我?(?:确认|確認|确定|確定)(?:要)?(?:删除|刪除|删掉|刪掉)` +
      '(?:我的)?(?:所有|全部)?(?:的)?(?:数据|數據|资料|資料)?[。.!！]*$',
    'u',
  ),
  /^(?:yes[,\s]+)?(?:i )?confirm (?:the )?delet(?:e|ion)(?: (?:of )?(?:all )?(?:my data|everything))?[.!]*$/iu,
  /^yes[,\s]+delete (?:(?:all )?(?:of )?my data|everything|it all|all of it)[.!]*$/iu,
]

/** Whether a text confirms a deletion that the server asked about within ten minutes. `askedAt` is ISO 8601. */
export function confirmsDeletion(words: string, askedAt: string | undefined, now: Date): boolean {
  if (askedAt === undefined) return false
  const age = now.getTime() - Date.parse(askedAt)
  return age >= 0 && age < CONFIRM_TIMEOUT_MS && CONFIRMS.some((pattern) => pattern.test(words.trim()))
}
