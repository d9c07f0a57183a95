/** What people, and those who name tools, call the same deed. */
const deeds: readonly (readonly [en: string, zh: string])[] = [
  [
    'add create new insert append put',
    '添加 新增 增加 加入 加上 加到 加进 创建 新建 放入 放进 放到 记下 记录 加',
  ],
  ['remove delete clear drop erase', '删除 删掉 删去 移除 去掉 清空 清除 删'],
  [
    'show list get read fetch view display see load what which',
    '列出 显示 查看 看看 获取 读取 有哪些 有什么',
  ],
  ['complete finish check tick mark done toggle', '完成 勾选 标记 打勾 勾掉 做完'],
  [
    'set change update edit switch turn make rename modify',
    '设置 设为 设成 改成 改为 修改 切换 换成 更新 调成 调到 变成 改',
  ],
  ['open go goto navigate visit', '打开 前往 跳转 导航 进入'],
  ['search find lookup query filter', '搜索 查找 查询 筛选 搜 找'],
  ['send submit notify', '发送 提交 通知'],
  ['close hide dismiss', '关闭 隐藏'],
  ['start run play begin', '开始 启动 播放'],
  ['stop pause end cancel', '停止 暂停 取消 结束'],
]

const things: ReadonlyMap<string, string> = new Map(
  Object.entries({
    background: '背景',
    book: '书',
    cart: '购物车',
    color: '颜色 色',
    colour: '颜色 色',
    contact: '联系人',
    count: '计数 数量',
    counter: '计数',
    customer: '客户',
    date: '日期',
    email: '邮件 邮箱',
    event: '日程 活动 事件',
    file: '文件',
    item: '项目 商品 条目',
    language: '语言',
    list: '清单 列表',
    meeting: '会议',
    message: '消息',
    name: '名称 名字',
    note: '笔记 便签',
    order: '订单',
    page: '页面 网页',
    product: '商品 产品',
    reminder: '提醒',
    setting: '设置',
    task: '任务 待办',
    theme: '主题',
    title: '标题',
    todo: '待办 任务',
    user: '用户',
    volume: '音量',
    weather: '天气',
  }),
)

/** Words that say nothing of what a tool is for. */
const EMPTY = new Set(
  'a an and any are as at be by for from give given has have in into is it its new of on one or please that the their them this to tool use used user with you your'.split(
    ' ',
  ),
)

const deedsByWord = new Map(
  deeds.flatMap(([en]) => {
    const words = en.split(' ')
    return words.map((word) => [word, words[0]] as const)
  }),
)

export type Deed = { readonly deed: string; readonly at: number; readonly end: number }

/** One of a word and its plural. */
function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

/** The words of a tool's name: `addTodo`, `add_todo` and `todo.add` have two. */
export function wordsOfName(name: string): string[] {
  const parted = name.replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
  return parted.toLowerCase().match(/\p{L}+/gu) ?? []
}

/** The English words of a sentence that say something, each in its singular. */
export function contentWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll(/\bto-?dos?\b|\bto do list\b/g, 'todo')
      .match(/[a-z]+/g) ?? []
  return words.filter((word) => !EMPTY.has(word)).map(singular)
}

/** What a word means one does: by one name for all words that mean the same. */
export function deedOf(word: string): string | undefined {
  return deedsByWord.get(word)
}

/** What a request asks for: in English the first word that says so, among the first few. */
export function deedIn(words: string): string | undefined {
  const english = words.toLowerCase().match(/[a-z]+/g) ?? []
  return (
    chineseDeed(words)?.deed ??
    english
      .slice(0, 6)
      .map(deedOf)
      .find((deed) => deed !== undefined)
  )
}

/** The deed that a request in Chinese speaks of first. */
export function chineseDeed(text: string): Deed | undefined {
  let first: Deed | undefined
  for (const [en, zh] of deeds) {
    for (const word of zh.split(' ')) {
      const at = text.indexOf(word)
      const sooner = at >= 0 && (!first || at < first.at || (at === first.at && at + word.length > first.end))
      if (sooner) first = { deed: en.split(' ')[0] ?? en, at, end: at + word.length }
    }
  }
  return first
}

/** How a thing is called in Chinese. */
export function chineseFor(word: string): string[] {
  return things.get(singular(word))?.split(' ') ?? []
}

/** Pairs of Chinese characters, of which words are made. */
export function pairsOf(text: string): string[] {
  const runs = text.match(/\p{Script=Han}{2,}/gu) ?? []
  const pairs = runs.flatMap((run) =>
    Array.from(run).flatMap((one, at, all) => (all[at + 1] ? [one + all[at + 1]] : [])),
  )
  return pairs.filter((pair) => !/[的了一个到将把在和从给与这那请]/.test(pair))
}
