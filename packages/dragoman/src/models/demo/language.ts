import type { DemoLanguage, DemoText } from './script.ts'

/** The same words in each language. */
export type Phrase = Exclude<DemoText, string>

const han = /\p{Script=Han}/u
/** Characters that make a sentence Chinese, whatever names it quotes. "Find work at 字节跳动" has none of them. */
const chineseGrammar =
  /[我你您的了吗呢在找搜查看帮请列有哪什怎谢好是读跑]|职位|工作|岗位|运行|执行|改[成为]|替换|换成|写[入上]|创建|新建|比较|对比|解释|打开|显示|文件|目录|项目|添加|新增|加[到上入进]|删[除掉]|设[置为成]|切换|计算|等于|几点|时间|待办|清单/
const latin = /[a-z]/i

/** The language of a request; undefined where it has no words of either. */
export function languageOf(text: string): DemoLanguage | undefined {
  if (han.test(text) && (chineseGrammar.test(text) || !latin.test(text))) return 'zh'
  return latin.test(text) ? 'en' : undefined
}
