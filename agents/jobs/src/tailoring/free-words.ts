/** Words that join others. They say nothing by themselves. */
const STOP =
  'a an the and or of for in at to with on by from into as is are was were be been being it its this that these those which who whom whose while when where through across over under within per via than then also both each other more most less least very so such up out off about around between among not no nor but if i my me we our you your he she they them their his her has have had do does did can could will would may might must shall should etc plus using use used uses s t vs and/or during after before until since throughout towards toward onto upon any all some every many several various multiple'

/** With these one words anew what one has done: they claim nothing that could be untrue by itself. */
const REWORDING = [
  'build built create develop implement engineer craft construct deliver ship make made write wrote written code design',
  'architect maintain support operate run ran work worked responsible contribute help helped assist collaborate partner cooperate',
  'perform execute provide offer enable ensure drive drove driven achieve accomplish complete finish handle address solve resolve',
  'improve optimize enhance streamline refine strengthen modernize simplify extend expand enable facilitate establish introduce',
  'set setup configure apply leverage utilize employ adopt integrate combine connect convert transform turn bring brought take took',
  'focus specialize concentrate include cover involve require result lead-to keep kept gain show demonstrate highlight prove proven',
  'experience experienced skilled skill proficient proficiency knowledge familiar familiarity background expertise ability capable',
  'strong solid deep broad extensive hands-on practical relevant key core main major primary essential important significant notable',
  'high higher highly low lower large larger small complex robust reliable scalable efficient efficiency effective efficiently',
  'effectively successfully quickly rapidly consistently directly closely well clean clear modern advanced new existing internal',
  'production-grade production-ready high-quality high-performance quality performant fast faster better best great good full end-to-end end overall entire whole',
  'solution approach practice practices way process task tasks role position career job duty duties responsibility responsibilities',
  'need needs goal goals result results outcome outcomes impact value area areas field domain environment environments part',
  'passionate motivated dedicated detail-oriented proactive driven committed keen eager interested seeking looking aim aiming',
  'today currently current previously previous former formerly recent recently year years month months week day daily weekly time',
  'professional technical technology technologies tool tools stack system systems feature features functionality component components',
  'percent performance delivery over project projects product application applications software',
  'conduct together alongside jointly hold held prepare produce carry serve power underpin seamless intuitive user-friendly',
  'maintainable measurable significantly substantially considerably largely mainly particularly especially additionally',
  'comprehensive versatile adept well-versed track-record proven-track-record record track commitment mindset',
].join(' ')

/** Headings and labels of a resume. */
const HEADINGS =
  'summary profile objective about experience employment history education skill skills technical competency competencies projects certifications certificates languages awards interests references contact highlights achievements additional selected professional work core key information details email phone mail tel address website linkedin github'

const MONTHS =
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec present now ongoing'

/** The same in Chinese, longer ones first where one begins another. */
const CHINESE = [
  '的 了 和 与 及 在 为 对 将 并 且 等 以 由 从 到 至 把 被 让 使 其 之 于 或 也 都 还 又 而 则 即 中 上 下 内 外 后 前 时 个 名 位 项 次 种 年 月 日',
  '以及 并且 同时 通过 利用 使用 运用 采用 基于 针对 围绕 结合 根据 按照 从而 因此 进而 其中 包括 包含 涉及 相关 有关 各种 多种 多个 一个 一种 一名 一系列',
  '负责 参与 完成 实现 开发 研发 设计 搭建 构建 建设 编写 撰写 制作 打造 推进 推动 推出 开展 进行 执行 实施 落地 支持 支撑 协助 配合 协作 合作 维护 运维',
  '优化 改进 改善 完善 提高 提升 增强 加强 强化 保障 保证 确保 解决 处理 应对 满足 达成 达到 取得 获得 积累 引入 应用 集成 整合 重构 改造',
  '具有 具备 拥有 掌握 熟悉 熟练 了解 擅长 善于 能够 可以 良好 较强 丰富 扎实 优秀 出色 有效 高效 稳定 可靠 深入 独立 主要 核心 关键 重要 大型 复杂 现有 全面 专业 现代',
  '系统 项目 工作 能力 经验 业务 需求 功能 模块 方案 任务 流程 工具 技术 问题 过程 方面 领域 方向 岗位 职责 职位 成果 效果 效率 性能 质量 体验 环境 平台 服务 产品',
  '荣获 热爱 热情 积极 主动 认真 负责任 注重 专注 致力于 目前 现任 曾任 曾 至今 期间 日常 每天 每日 每月 每年 工程师 从事 担任 任职',
  '个人 简介 自我评价 求职意向 工作经历 工作经验 项目经历 项目经验 教育背景 教育经历 专业技能 技能 证书 语言 荣誉 联系方式 邮箱 电话 手机 姓名 技术栈',
].join(' ')

const words = (list: string): readonly string[] => list.split(' ')

/** Words of Latin script that need no source. */
export const freeWords: ReadonlySet<string> = new Set([STOP, REWORDING, HEADINGS, MONTHS].flatMap(words))
export const stopWords: ReadonlySet<string> = new Set(words(STOP))

/** Where Chinese is cut: what stands between these says something. */
export const FREE_CHINESE = new RegExp(
  words(CHINESE)
    .toSorted((one, other) => other.length - one.length)
    .join('|'),
  'gu',
)

/** Words that mean the same; the first stands for all. Irregular forms stand here too. */
const SAME = [
  'reduce cut lower lowered decrease shrink shrank drop slash trim cutting',
  'increase raise grow grew grown boost lift double',
  'lead led leading leader leadership spearhead head headed',
  'manage managed managing manager supervise supervised oversee oversaw',
  'mentor mentored coach coached',
  'teach taught train trained',
  'customer client',
  'app application',
  'bug defect',
  'backend back-end server-side',
  'frontend front-end client-side',
  'fullstack full-stack',
  'database db databases',
  'senior sr snr',
  'junior jr',
  'latency latencies',
  'query queries',
  'speed sped',
  'buy bought purchase',
  'sell sold sales',
  'migrate migration move moved',
  'test tests testing tested',
  'automate automation automated automating',
  'monitor monitoring',
  'percent per-cent',
  'win won',
  'company companies enterprise-wide',
]

/** Each word of a group with the one that stands for it. */
export const sameWords: ReadonlyMap<string, string> = new Map(
  SAME.flatMap((group) => {
    const [first = '', ...others] = words(group)
    return [first, ...others].map((word) => [word, first] as const)
  }),
)
