/** Where the work is done. */
export const workplaces = ['remote', 'hybrid', 'onsite'] as const
export type Workplace = (typeof workplaces)[number]

const HYBRID = new RegExp(
  String.raw`\bhybrid\b(?![ -](?:cloud|mobile|app|search|electric|vehicle|engine|integration))|` +
    String.raw`混合(?:式)?办公|混合远程|部分远程|混合(?![\p{Script=Han}])`,
  'iu',
)
const NOT_REMOTE = /\b(?:no|not|non)[ -]?(?:fully[ -])?remote\b|(?:不|非|无法|不支持|不接受|不可)远程/iu
/** Not remote sensing or remote control. */
const REMOTE = new RegExp(
  String.raw`\bremote(?:ly)?\b(?![ -](?:sensing|control|desktop|procedure|monitoring))|` +
    String.raw`\b(?:work(?:ing)? from (?:home|anywhere)|wfh|telecommut\w+|home[ -]?office)\b|` +
    String.raw`远程(?!控制|监控|医疗|教育|桌面)|居家办公|在家办公|线上办公`,
  'iu',
)
const ONSITE =
  /\bon[-_]?site\b|\b(?:in|at)[ -](?:the )?office\b|\boffice[ -]based\b|\bin[ -]person\b|现场办公|坐班|驻场|到岗办公/iu

/** The workplace that a title or a place states. */
export function workplaceIn(text: string): Workplace | null {
  if (HYBRID.test(text)) return 'hybrid'
  if (NOT_REMOTE.test(text)) return 'onsite'
  if (REMOTE.test(text)) return 'remote'
  return ONSITE.test(text) ? 'onsite' : null
}
