import type { Language } from '../../words/language.ts'

/** What a part of a resume is about. */
export type Section = keyof typeof names

/** The names of each, in small letters; the first two are those that we write, English and Chinese. */
const names = {
  personal:
    'personal details, 基本信息, personal information, personal data, contact, contacts, contact information, contact details, 个人信息, 个人资料, 基本资料, 联系方式, 联系信息, 个人简历',
  summary:
    'summary, 自我评价, profile, about, about me, professional summary, executive summary, career summary, personal statement, personal profile, professional profile, overview, introduction, highlights of qualifications, 个人简介, 个人总结, 自我介绍, 个人概述, 个人评价, 个人优势, 核心优势, 自我描述, 简介, 关于我, 职业概述, 个人陈述',
  objective:
    'objective, 求职意向, career objective, job objective, career goal, 求职目标, 职业目标, 应聘职位, 应聘岗位, 意向岗位, 期望工作, 求职意愿, 职业意向',
  work: 'work experience, 工作经历, experience, work history, employment, employment history, professional experience, career history, relevant experience, professional background, work, career, positions, industry experience, internships, internship, internship experience, 工作经验, 职业经历, 工作履历, 从业经历, 任职经历, 实习经历, 实习经验, 工作与实习经历, 实习/工作经历, 工作/实习经历, 工作背景, 职业生涯',
  education:
    'education, 教育背景, education and training, academic background, educational background, academic history, academic qualifications, qualifications, education history, 教育经历, 学历背景, 教育, 学历, 教育情况, 学习经历, 教育与培训, 教育信息',
  skills:
    'skills, 专业技能, technical skills, core skills, key skills, top skills, core competencies, competencies, technologies, tech stack, technical expertise, areas of expertise, expertise, skills and tools, skills & tools, technical proficiencies, tools, skills summary, 技能, 技能特长, 个人技能, 技能专长, 掌握技能, 专业能力, 技术栈, 技能清单, 核心技能, 相关技能, 职业技能, 技术能力, 技能标签, 核心能力, it技能, 技能/特长, 专业特长',
  projects:
    'projects, 项目经验, project experience, personal projects, selected projects, key projects, side projects, open source, open source projects, open-source projects, open source contributions, 项目经历, 项目, 主要项目, 个人项目, 开源项目, 代表项目, 项目实践, 校园项目',
  languages: 'languages, 语言能力, language, language skills, 语言, 语言水平, 外语水平, 外语能力, 语言技能',
  certificates:
    'certificates, 证书, certifications, certification, licenses, licences, licenses and certifications, licenses & certifications, certifications and licenses, courses and certifications, 资格证书, 技能证书, 职业证书, 证书资质, 资质证书, 专业证书, 培训证书, 所获证书, 职业资格',
  awards:
    'awards, 荣誉奖项, awards and honors, awards and honours, honors, honours, honors and awards, honours and awards, honors & awards, awards & honors, achievements, accomplishments, honors-awards, 获奖经历, 荣誉, 奖项, 所获荣誉, 获奖情况, 荣誉证书, 所获奖项, 个人荣誉, 奖励, 获奖荣誉, 奖学金',
  publications:
    'publications, 发表论文, papers, selected publications, patents, patents and publications, 论文, 学术论文, 论文发表, 出版物, 科研成果, 专利, 论文与专利, 学术成果',
  volunteer:
    'volunteering, 志愿者经历, volunteer, volunteer experience, volunteer work, community service, extracurricular activities, activities, leadership, 志愿经历, 志愿服务, 社会实践, 校园经历, 校园活动, 学生工作, 社团经历, 实践经历, 在校经历, 公益经历',
  interests:
    'interests, 兴趣爱好, hobbies, hobbies and interests, interests and hobbies, 爱好, 兴趣, 个人爱好, 业余爱好',
  references: 'references, 推荐人, referees, recommendations, 推荐信, 证明人',
} as const

const sectionByName = new Map(
  Object.entries(names).flatMap(([section, all]) =>
    all.split(', ').map((name) => [name, section as Section] as const),
  ),
)

/** How we head a section. */
export function headingOf(section: Section, language: Language): string {
  const [english = '', chinese = ''] = names[section].split(', ')
  return language === 'zh' ? chinese : english.replace(/^./, (first) => first.toUpperCase())
}

/** Which section a heading begins, whatever adorns it: `【工作经历】`, `二、教 育 背 景`, `EDUCATION:`, `技能 Skills`. */
export function sectionOf(heading: string): Section | undefined {
  if (heading.length > 80) return undefined
  const bare = heading
    .toLowerCase()
    .replace(/^\s*(?:[一二三四五六七八九十]{1,3}\s*[、.．]|\d{1,2}\s*[、.．)）])\s*/u, '')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
  const latin = bare.replace(/[^\p{Script=Latin}&/ -]+/gu, '').replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const chinese = bare.replace(/[^\p{Script=Han}]+/gu, '')
  const spaced = /^(?:\p{Script=Latin} )+\p{Script=Latin}$/u.test(bare) ? bare.replaceAll(' ', '') : bare
  const whole = sectionByName.get(bare) ?? sectionByName.get(spaced)
  if (whole || latin === '' || chinese === '') return whole
  const [one, other] = [sectionByName.get(chinese), sectionByName.get(latin)]
  return one === other || other === undefined ? one : undefined
}
