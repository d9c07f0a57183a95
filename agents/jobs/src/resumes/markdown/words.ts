/** Words by which a part of a line gives away what it is. */

const ROLE =
  /engineer|developer|programmer|architect|manager|director|\blead\b|leader|analyst|designer|consultant|scientist|intern\b|administrator|officer|specialist|assistant|associate|president|founder|\bc[etfopm]o\b|\bvp\b|head of|teacher|lecturer|professor|researcher|writer|editor|accountant|nurse|technician|coordinator|representative|tester|\bsre\b|devops|freelance|contractor|工程师|开发|程序员|架构师|经理|总监|主管|组长|负责人|实习生?|分析师|设计师|顾问|科学家|专员|助理|总裁|创始人|教师|讲师|教授|研究员|编辑|会计|运营|测试|产品|前端|后端|全栈|算法|文员|销售|秘书|技术员|运维/iu
const ORGANISATION =
  /\b(?:inc|llc|ltd|limited|gmbh|corp|corporation|co|plc|ag|bank|university|college|institute|school|foundation|holdings)\b|(?:group|labs?|technologies|systems|studios?|solutions|software)(?=$|[,.])|公司|集团|科技|银行|大学|学院|研究院|研究所|中学|医院|工作室|事务所|有限|股份|网络|基金会|协会|学生会|中心$/iu
const SCHOOL =
  /university|college|institute|school|academy|universität|université|universidad|politecnico|\bmit\b|\beth\b|\bucla?\b|大学|学院|学校|中学|研究院|党校/iu
const DEGREE =
  /\b(?:b\.?\s?sc?|b\.?a|b\.?eng|m\.?\s?sc?|m\.?a|m\.?eng|m\.?b\.?a|ph\.?\s?d|bachelor(?:'?s)?|master(?:'?s)?|doctor(?:ate)?|associate|diploma|a-levels?|high school|degree|undergraduate|postgraduate)\b|学士|硕士|博士|本科|研究生|大专|专科|高中|中专|学位/iu
/** A degree and nothing else, so that what follows is a field. */
const DEGREE_OF =
  /^((?:bachelor|master|doctor|b\.?\s?sc?|b\.?a|b\.?eng|m\.?\s?sc?|m\.?a|m\.?eng|ph\.?\s?d)(?:'?s)?(?: degree)?(?:\s+of\s+(?:science|arts|engineering|philosophy|business administration|laws?|education|fine arts))?\.?)\s*(?:\s(?:in|of)\s|,\s*|:\s*)(.+)$/iu
const SCORE = /^(?:gpa\s*)?(\d(?:\.\d{1,2})?\s*\/\s*\d(?:\.\d{1,2})?)$|^gpa\s*(\d(?:\.\d{1,2})?)$/iu

/** Whether some words name what somebody is. */
export function isRole(text: string): boolean {
  return ROLE.test(text)
}

/** Whether some words name a firm, a school or the like. */
export function isOrganisation(text: string): boolean {
  return ORGANISATION.test(text)
}

/** Whether some words name a school. */
export function isSchool(text: string): boolean {
  return SCHOOL.test(text)
}

/** Whether some words name a degree. */
export function isDegree(text: string): boolean {
  return DEGREE.test(text)
}

/** `B.Sc. in Physics` is a degree and its field. */
export function degreeAndField(text: string): readonly [string, string] | undefined {
  const [, degree, field] = DEGREE_OF.exec(text) ?? []
  return degree !== undefined && field !== undefined ? [degree.trim(), field.trim()] : undefined
}

/** A mark such as `3.8/4.0`. */
export function scoreIn(text: string): string | undefined {
  const [, of, bare] = SCORE.exec(text) ?? []
  return of ?? bare
}
