/** Who knows the first knows the others well enough for what a posting asks. */
const table = `
  TypeScript: JavaScript
  React: JavaScript, Front-end Development
  Vue: JavaScript, Front-end Development
  Angular: TypeScript, JavaScript, Front-end Development
  Svelte: JavaScript, Front-end Development
  Next.js: React, JavaScript, Front-end Development
  Nuxt: Vue, JavaScript, Front-end Development
  React Native: React, JavaScript
  Node.js: JavaScript
  Express: Node.js, JavaScript
  NestJS: Node.js, TypeScript, JavaScript
  Spring: Java
  Spring Boot: Spring, Java
  Spring Cloud: Spring, Java, Microservices
  MyBatis: Java
  Hibernate: Java
  Dubbo: Java, Microservices
  Django: Python
  Flask: Python
  FastAPI: Python
  pandas: Python
  NumPy: Python
  PyTorch: Python, Deep Learning, Machine Learning
  TensorFlow: Deep Learning, Machine Learning
  Deep Learning: Machine Learning
  LLM: NLP
  RAG: LLM
  LangChain: LLM
  Ruby on Rails: Ruby
  Laravel: PHP
  Symfony: PHP
  Entity Framework: .NET, C#
  PostgreSQL: SQL, Relational Databases
  MySQL: SQL, Relational Databases
  SQL Server: SQL, Relational Databases
  Oracle Database: SQL, Relational Databases
  SQLite: SQL, Relational Databases
  MongoDB: NoSQL
  Cassandra: NoSQL
  DynamoDB: NoSQL, AWS
  BigQuery: SQL, Google Cloud
  Redshift: SQL, AWS
  Kubernetes: Docker, Cloud Native
  Helm: Kubernetes
  Kafka: Message Queues
  RabbitMQ: Message Queues
  RocketMQ: Message Queues
  GitHub Actions: CI/CD
  GitLab CI: CI/CD
  Jenkins: CI/CD
  Argo CD: CI/CD, Kubernetes
  Terraform: Infrastructure as Code
  Site Reliability Engineering: DevOps
  Scrum: Agile
  Kanban: Agile
  Flink: Stream Processing
  Tableau: Data Visualization
  Power BI: Data Visualization, Business Intelligence
  Figma: UI Design
`

const implied: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(': '))
    .map(([name = '', others = '']) => [name, others.split(', ')]),
)

/** These skills, and those that whoever has them has too. */
export function withImplied(names: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(names)
  // A set hands out what is added to it while it is read.
  for (const name of all) for (const other of implied.get(name) ?? []) all.add(other)
  return all
}
