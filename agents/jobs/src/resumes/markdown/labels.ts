import type { Language } from '../../words/language.ts'

/**
 * What a label in a resume's head stands for. Those with `x-` have no place in JSON Resume: they are kept as the
 * resume says them.
 */
const labels = {
  name: 'name, 姓名, full name, 名字',
  label: 'title, 职位, headline, current title, 当前职位, 目前职位',
  email: 'email, 邮箱, e-mail, mail, email address, 电子邮箱, 电子邮件, 邮件, 邮箱地址',
  phone:
    'phone, 电话, mobile, tel, telephone, cell, phone number, 手机, 手机号, 手机号码, 联系电话, 联系方式, 电话号码',
  url: 'website, 个人网站, homepage, home page, blog, portfolio, web, url, site, 网站, 主页, 个人主页, 博客, 个人博客, 作品集',
  location:
    'location, 所在地, address, city, based in, residence, current location, 地址, 现居地, 现居, 居住地, 现居住地, 所在城市, 现居城市, 通讯地址, 家庭住址, 住址, 居住城市, 现所在地',
  'x-objective':
    'objective, 求职意向, desired position, job objective, desired role, 意向岗位, 应聘职位, 应聘岗位, 期望职位, 求职岗位, 意向职位, 求职目标',
  'x-expectedSalary':
    'expected salary, 期望薪资, salary expectation, salary expectations, desired salary, 期望月薪, 期望薪酬, 薪资要求, 薪资期望, 期望年薪, 待遇要求',
  'x-desiredLocation':
    'desired location, 期望城市, preferred location, 意向城市, 期望地点, 期望工作地, 工作地点, 意向地点',
  'x-availability': 'availability, 到岗时间, available from, notice period, 入职时间, 可到岗时间, 最快到岗',
  'x-jobStatus': 'job status, 求职状态, 目前状态, 当前状态, 在职状态',
  'x-yearsOfExperience': 'years of experience, 工作年限, experience, 工作经验, 工龄, 经验年限',
  'x-degree': 'degree, 学历, highest degree, 最高学历',
  'x-gender': 'gender, 性别, sex',
  'x-birthDate': 'date of birth, 出生年月, birth date, birthdate, birthday, dob, born, 出生日期, 生日, 出生',
  'x-age': 'age, 年龄',
  'x-politicalStatus': 'political status, 政治面貌, 党派',
  'x-ethnicity': 'ethnicity, 民族',
  'x-nativePlace': 'native place, 籍贯, place of birth, 户籍, 户口, 户口所在地, 户籍所在地, 生源地',
  'x-maritalStatus': 'marital status, 婚姻状况, 婚姻, 婚否',
  'x-nationality': 'nationality, 国籍, citizenship',
  'x-workAuthorization':
    'work authorization, 工作许可, work authorisation, work permit, visa, visa status, 签证',
  'x-wechat': 'wechat, 微信, 微信号',
  'x-qq': 'qq, QQ号, qq号码',
} as const

export type Label = keyof typeof labels

const labelByName = new Map(
  Object.entries(labels).flatMap(([label, all]) =>
    all.split(', ').map((name) => [name.toLowerCase(), label as Label] as const),
  ),
)

/** Longest first, so that none hides a longer one; only Chinese ones are told apart without a break before them. */
const chinese = [...labelByName.keys()]
  .filter((name) => /\p{Script=Han}/u.test(name))
  .toSorted((a, b) => b.length - a.length)
const BEFORE_LABEL = new RegExp(`\\s+(?=(?:${chinese.join('|')})\\s*[:：])`, 'giu')

/** What a label stands for; Chinese ones are often stretched (`姓 名`). */
export function labelOf(name: string): Label | undefined {
  const bare = name.trim().toLowerCase().replace(/\s+/g, ' ')
  return (
    labelByName.get(bare) ?? labelByName.get(bare.replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, ''))
  )
}

/** How we name it. */
export function nameOf(label: Label, language: Language): string {
  const [english = '', chineseName = ''] = labels[label].split(', ')
  return language === 'zh' ? chineseName : english.replace(/^./, (first) => first.toUpperCase())
}

/** Whether a field of ours has a label, so that it can be written and read again. */
export function isLabel(key: string): key is Label {
  return Object.hasOwn(labels, key)
}

/** Puts a break before each label of a line that names several. */
export function withBreaks(line: string): string {
  return line.replace(BEFORE_LABEL, ' | ')
}
