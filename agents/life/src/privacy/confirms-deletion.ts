/** A confirmation counts for so long, in ms. */
const CONFIRM_TIMEOUT_MS = 600_000

const CONFIRMS =
  /^(?:是的?|好的?|嗯|对|對)?[,，\s]*我?(?:确认|確認|确定|確定)(?:要)?(?:删除|刪除|删掉|刪掉)(?:我的)?(?:所有|全部)?(?:的)?(?:数据|數據|资料|資料)?[。.!！]*$|^(?:yes[,\s]+)?(?:i )?confirm (?:the )?delet(?:e|ion)(?: (?:of )?(?:all )?(?:my data|everything))?[.!]*$|^yes[,\s]+delete (?:(?:all )?(?:of )?my data|everything|it all|all of it)[.!]*$/iu

/** Whether somebody confirms the deletion for which they were asked a short time ago. `askedAt` is ISO 8601. */
export function confirmsDeletion(words: string, askedAt: string | undefined, now: Date): boolean {
  if (askedAt === undefined) return false
  const age = now.getTime() - Date.parse(askedAt)
  return age >= 0 && age < CONFIRM_TIMEOUT_MS && CONFIRMS.test(words.trim())
}
