/** Words that by themselves claim what a reader may hold one to: rank, degrees, certificates, leading, honours. */

/** Ranks, as they stand in titles. `lead` and `staff` are ranks before a role alone. */
export const RANK =
  /\b(?:senior|sr|principal|(?:staff|lead|distinguished)(?=\s+(?:\w+\s+){0,2}(?:engineer|developer|designer|scientist|analyst|architect)\b)|(?:team|tech|technical)\s+lead|head\s+of|director|vice\s+president|vp|chief|c[teofp]o|president|founder|co-founder|manager|architect|supervisor)\b|高级|资深|首席|总监|主管|组长|负责人|总裁|总经理|副总|经理|架构师|专家|合伙人|创始人|联合创始人/giu

/** What somebody is called, with the words before it that say of what. */
export const ROLE =
  /\b((?:[\p{L}+#./-]{1,40}\s{1,3}){0,3})(engineer|developer|programmer|scientist|designer|analyst|consultant|architect|administrator|manager)\b/giu

export const ROLE_WORDS =
  /^(?:engineer|developer|programmer|scientist|designer|analyst|consultant|architect|administrator|manager|intern|officer|specialist|lead|staff|senior|sr|junior|jr|principal|head|chief|director|president|vp|c[teofp]o|founder|co-founder|supervisor|associate|assistant|executive|freelance[r]?|工程师|开发|经理|主管|总监|架构师|专员|助理|实习生|顾问|设计师|分析师|负责人|组长|专家|高级|资深|首席|中级|初级|总裁|主任)$/iu

/** Degrees by their height. */
export const DEGREES: readonly (readonly [string, RegExp])[] = [
  ['doctor', /\b(?:ph\.?\s?d|doctorate|doctoral|dphil)\b|博士/iu],
  [
    'master',
    /\b(?:master['’]?s(?=\s+(?:degree|in|of|\())|masters? of|m\.?sc|mba|m\.?eng|m\.?phil)\b|硕士|研究生/iu,
  ],
  ['bachelor', /\b(?:bachelor['’]?s?|b\.?sc|b\.?eng|b\.?tech)\b|学士|本科/iu],
]
export const SCHOOL = /universit|college|institute|school|academy|大学|学院|学校/iu

/** What says that somebody has been certified. */
export const CERTIFICATE =
  /\b(?:certified|certification|certificate|licen[cs]ed|PMP|CISSP|CISA|CKAD?|CKS|CPA|CFA|FRM|ACCA|PRINCE2|ITIL|CCN[AP]|OCP|CSM|PSM|SHRM|TOEFL|IELTS|GRE|GMAT|CET-?[46])\b|证书|资格证|认证|软考|(?:四|六)级/giu

/** Leading, honours, size: somebody did this or did not. */
export const BOAST =
  /\b(?:led|lead(?:s|er|ership)?|leading|managed|managing|manages|supervised|oversaw|mentored|coached|headed|spearheaded|founded|awarded|award|won|promoted|patent(?:ed|s)?|published|keynote|fluent|native|expert|world-class|award-winning|hundreds|thousands|millions|billions|doubled|tripled|quadrupled|halved|single-handedly|(?:first|only)\s+(?:engineer|developer|hire)|fortune)\b|带领|率领|领导|主导|牵头|统筹|管理|带团队|获奖|荣获|荣誉|晋升|专利|发表|精通|专家|流利|母语|百万|千万|亿级|上亿|翻倍|翻番|从零|第一|冠军/giu

/** Employers that Chinese text names without a word that says so. */
export const KNOWN_EMPLOYERS =
  /阿里巴巴|阿里云|腾讯|字节跳动|字节|百度|美团|京东|华为|网易|小米|拼多多|滴滴|快手|蚂蚁金服|蚂蚁集团|微软|谷歌|亚马逊|苹果公司|哔哩哔哩|携程|小红书|中兴|联想|大疆|商汤|旷视/gu

/** A Chinese name that says what it is: two characters before the word at least. */
export const ORGANISATION =
  /(?<name>[\p{Script=Han}]{2,12}?)(?<kind>有限公司|公司|集团|银行|大学|学院|研究院|研究所|事务所|医院)/gu
