import type { Asked, Deed } from './deed.ts'

const DELETE = '(?:删掉|删除|刪除|删了|删去|清除|清掉|清空|抹掉|注销|註銷)'
const DATA =
  '(?:数据|數據|个人资料|個人資料|个人信息|個人資訊|隐私|账号|帐号|帳號|账户|帐户|聊天记录|聊天紀錄|对话记录|资料|資料)'
const ALL = '(?:所有|全部|一切)?(?:的)?'

const asking = new RegExp(
  [
    `^(?:请|請|帮我|幫我|你|麻烦|我想要?|我要|可以)*${DELETE}(?:关于|關於)?我?(?:的)?${ALL}${DATA}(?:吧|了|吗|嗎)*$`,
    `^(?:请|請|帮我|幫我|你|麻烦|我想|我要)*把(?:关于|關於)?我?(?:的)?${ALL}${DATA}(?:都|全|全部|给|給)*${DELETE}(?:掉|吧|了)*$`,
    "^(?:please |can you |could you |i want (?:you )?to |i(?: would|[’']d) like (?:you )?to )*(?:delete|erase|remove|wipe|clear) (?:all )?(?:of )?my (?:personal )?(?:data|account|information|info|chats?|conversations?|history)$",
    '^(?:please )?(?:delete|erase|remove|wipe) (?:everything|all(?: the)?(?: data| information)?) (?:that )?(?:you (?:have|keep|store)|kept|stored) (?:about|of|on) me$',
  ].join('|'),
  'iu',
)
const confirming =
  /^(?:是的?|好的?|嗯)?[,，\s]*我?(?:确认|確認|确定|確定)(?:要)?(?:删除|刪除|删掉)(?:我的)?(?:所有|全部)?(?:数据|數據|资料|資料)?$|^(?:yes[,\s]+)?(?:i )?confirm (?:the )?delet(?:e|ion)(?: (?:of )?(?:all )?(?:my data|everything))?$|^yes[,\s]+delete (?:(?:all )?(?:of )?my data|everything|it all|all of it)$/iu

/** That all data is to be deleted, or that its user confirms it. The tool tells the two apart. */
export function deletionDeed({ words }: Pick<Asked, 'words'>): Deed | undefined {
  const plain = words.trim().replace(/[\s.。!！?？~～]+$/u, '')
  if (!asking.test(plain) && !confirming.test(plain)) return undefined
  return {
    tool: 'delete_my_data',
    input: {},
    thought: { en: 'The user wants their data deleted.', zh: '用户想删除自己的数据。' },
  }
}
