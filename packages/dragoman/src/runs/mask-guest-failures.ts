import { isErrorCode, ServiceError, toFailure, type ErrorCode } from '../errors.ts'
import { isGuest, isJsonObject, type Failure, type Run } from '../events/index.ts'

/** Failures whose sentences are meant for every user: they name no model, no key and no setting. */
const FOR_EVERYBODY: ReadonlySet<ErrorCode> = new Set([
  'aborted',
  'denied',
  'expired',
  'interrupted',
  'invalid-input',
  'not-found',
  'quota-exceeded',
  'rate-limited',
  'storage-full',
  'unanswered',
])
/** Failures that a model can put right by itself: it reads why, in the run in which they happen. */
const FOR_MODELS: ReadonlySet<ErrorCode> = new Set(['invalid-input', 'unknown-tool'])
/** With this mark zod begins each issue that it finds in a tool's input. */
const ISSUE = '✖'

const cannotAnswer = {
  zh: '助手现在没法回答，请过几分钟再试。',
  en: 'The assistant cannot answer right now. Please try again in a few minutes.',
}
const stepFailed = {
  zh: '这一步没有成功，请过几分钟再试。',
  en: 'This step did not work. Please try again in a few minutes.',
}
const notFilledIn = {
  zh: '这一步有内容没有填对',
  en: 'Something in this step was not filled in as it should be',
}

/**
 * How a guest reads that their run failed. They can do nothing about keys and models: the operator's log has the
 * reason.
 */
export function maskRunFailure(run: Run, failure: Failure): Failure {
  if (!isGuest(run.userId) || isForEverybody(failure)) return failure
  return neutral(failure, cannotAnswer[languageOf(run)])
}

/**
 * How the user reads that a tool failed, and what the model reads of it. `isHidden`: the reason is in neither. A guest
 * reads no reasons. Mistakes in a call's input are for the model: where the context says the user's language, they read
 * only that there are some.
 */
export function maskToolFailure(
  run: Run,
  failure: Failure,
): { readonly failure: Failure; readonly text: string; readonly isHidden: boolean } {
  const { code, message } = failure
  const language = languageOf(run)
  const isForModel = isErrorCode(code) && FOR_MODELS.has(code)
  const isIssue = message.includes(ISSUE)
  const isUnread = saysLanguage(run) && (isIssue || (isForModel && !isIn(language, message)))
  const isWhole = !isGuest(run.userId) || (isForEverybody(failure) && !isIssue)
  if (isWhole && !isUnread) return { failure, text: message, isHidden: false }
  if (code === 'invalid-input')
    return { failure: { ...failure, message: issueIn(message, language) }, text: message, isHidden: false }
  const neutralFailure = neutral(failure, stepFailed[language])
  return {
    failure: neutralFailure,
    text: isForModel ? message : neutralFailure.message,
    isHidden: !isForModel,
  }
}

/** Whether a user who reads this language can read a sentence: in Chinese it has a Chinese character. */
function isIn(language: 'zh' | 'en', sentence: string): boolean {
  return language === 'en' || /\p{Script=Han}/u.test(sentence)
}

function isForEverybody({ code }: Failure): boolean {
  return isErrorCode(code) && FOR_EVERYBODY.has(code)
}

function neutral({ retryAfter }: Failure, message: string): Failure {
  return toFailure(
    new ServiceError('unavailable', message, { ...(retryAfter !== undefined && { retryAfter }) }),
  )
}

/** Names the fields, and none of the schema's words. */
function issueIn(message: string, language: 'zh' | 'en'): string {
  const fields = [...new Set(Array.from(message.matchAll(/→ at ([\w.[\]]+)/gu), ([, field]) => field))].join(
    ', ',
  )
  const named = { zh: fields && `（${fields}）`, en: fields && ` (${fields})` }[language]
  return `${notFilledIn[language]}${named}${language === 'zh' ? '。' : '.'}`
}

function saysLanguage({ request: { context } }: Run): boolean {
  return isJsonObject(context) && (context['language'] === 'zh' || context['language'] === 'en')
}

function languageOf({ request: { context } }: Run): 'zh' | 'en' {
  return isJsonObject(context) && context['language'] === 'zh' ? 'zh' : 'en'
}
