/** Skills round data, its storage and the machines that it runs on, by category: `name: alias, alias`. */
export const data: Readonly<Record<string, string>> = {
  database: `
    PostgreSQL: postgres, psql, postgre sql
    MySQL: mariadb
    SQLite:
    Oracle Database: oracle, oracle db
    SQL Server: mssql, ms sql, microsoft sql server
    MongoDB: mongo
    Redis:
    Elasticsearch: elastic search, elk, elastic stack, opensearch, kibana, logstash
    Cassandra: scylladb
    DynamoDB:
    Neo4j: graph database, 图数据库
    ClickHouse:
    TiDB:
    HBase:
    CockroachDB:
    Couchbase:
    InfluxDB: time series database, timescaledb, 时序数据库
    Memcached:
    NoSQL:
    Vector Databases: vector database, pinecone, milvus, weaviate, qdrant, pgvector, faiss, 向量数据库
    Relational Databases: rdbms, relational database, 关系型数据库
    Database Design: data modeling, data modelling, schema design, 数据库设计, 数据建模
    Query Optimization: query tuning, sql tuning, sql优化, 数据库优化
    Supabase:
    Firebase: firestore
  `,
  'cloud and operations': `
    AWS: amazon web services, ec2, s3, aws lambda, cloudformation, eks
    Azure: microsoft azure, azure devops
    Google Cloud: gcp, google cloud platform, gke
    Alibaba Cloud: aliyun, 阿里云
    Tencent Cloud: 腾讯云
    Huawei Cloud: 华为云
    Cloudflare: cloudflare workers
    Vercel:
    Cloud Native: cloud-native, 云原生
    Serverless: faas, lambda
    Docker: containers, containerization, 容器, 容器化
    Kubernetes: k8s, openshift
    Helm:
    Istio: service mesh, envoy, 服务网格
    Terraform: opentofu, pulumi
    Infrastructure as Code: iac, 基础设施即代码
    Ansible:
    Chef:
    Puppet:
    CI/CD: cicd, ci cd, ci-cd, continuous integration, continuous delivery, continuous deployment, 持续集成, 持续交付
    Jenkins:
    GitHub Actions:
    GitLab CI: gitlab ci/cd
    Argo CD: argocd, gitops
    DevOps: dev ops, 运维开发
    Site Reliability Engineering: sre, site reliability, 稳定性建设
    Prometheus:
    Grafana:
    Datadog: new relic
    Splunk:
    OpenTelemetry: distributed tracing, jaeger, 链路追踪
    Observability: monitoring and alerting, 可观测性, 监控告警
    Incident Response: on-call, incident management, 故障排查
    Nginx: openresty
    Kafka: apache kafka
    RabbitMQ:
    RocketMQ:
    Pulsar: apache pulsar
    NATS:
    Load Balancing: load balancer, 负载均衡
    System Administration: sysadmin, system administrator, 系统运维, 运维
    VMware: vsphere
  `,
  security: `
    Information Security: cybersecurity, cyber security, infosec, security engineering, 信息安全, 网络安全
    Application Security: appsec, owasp, secure coding, 应用安全
    Penetration Testing: pentesting, pen testing, 渗透测试
    Cryptography: encryption, 密码学, 加密
    IAM: identity and access management, oauth, oauth2, oidc, saml, sso, okta, 身份认证
    SIEM:
    Security Compliance: soc 2, soc2, iso 27001, iso27001, 等保
    GDPR: data privacy, privacy compliance, 数据隐私, 数据合规
    Zero Trust: 零信任
    Reverse Engineering: 逆向
  `,
  'data engineering': `
    Apache Spark: spark, pyspark, spark sql
    Hadoop: hdfs, mapreduce
    Hive: hiveql
    Flink: apache flink
    Airflow: apache airflow, dagster, prefect
    dbt: data build tool
    Snowflake:
    BigQuery:
    Redshift:
    Databricks: delta lake
    Presto: trino
    Iceberg: apache iceberg
    Doris: starrocks
    ETL: elt, 数据清洗
    Data Pipelines: data pipeline, 数据管道
    Data Warehousing: data warehouse, data warehouses, dwh, 数据仓库, 数仓
    Data Lakes: data lake, lakehouse, 数据湖
    Data Governance: data quality, 数据治理, 数据质量
    Stream Processing: real-time processing, streaming data, kafka streams, 实时计算, 流处理, 流计算
    Big Data: 大数据
    Data Engineering: data engineer, 数据工程, 数据开发
  `,
  'data analysis': `
    Data Analysis: data analytics, data analyst, 数据分析
    Data Visualization: data visualisation, 数据可视化, 可视化
    Business Intelligence: bi工具, bi tools
    Power BI: powerbi
    Tableau:
    Looker: lookml
    FineBI: finereport, 帆软
    Excel: microsoft excel, ms excel, pivot tables, vlookup
    pandas:
    NumPy: scipy
    Matplotlib: plotly, seaborn
    Jupyter: jupyter notebook
    SAS:
    SPSS:
    Stata:
    Statistics: statistical analysis, statistical modeling, statistical modelling, 统计学, 统计分析
    A/B Testing: ab testing, a/b test, experimentation, ab测试, a/b测试, ab实验
    Google Analytics: ga4
    Product Analytics: amplitude, mixpanel, 埋点
    Forecasting: time series, time-series forecasting, 时间序列
    Operations Research: linear programming, mathematical optimization, 运筹学, 运筹优化
    Web Scraping: scrapy, web crawler, crawling, 爬虫
  `,
  'machine learning': `
    Machine Learning: ml, 机器学习
    Deep Learning: neural networks, neural network, 深度学习, 神经网络
    Artificial Intelligence: ai, 人工智能
    NLP: natural language processing, 自然语言处理
    Computer Vision: opencv, image recognition, object detection, 计算机视觉, 图像识别, 图像处理
    LLM: large language model, large language models, gpt, openai api, 大模型, 大语言模型
    Generative AI: genai, gen ai, aigc, diffusion models, stable diffusion, 生成式ai, 生成式人工智能
    RAG: retrieval augmented generation, retrieval-augmented generation, 检索增强
    Prompt Engineering: prompt design, 提示词, 提示工程
    AI Agents: ai agent, agentic, multi-agent, 智能体
    Fine-tuning: finetuning, lora, rlhf, 微调
    LangChain: langgraph, llamaindex
    PyTorch: torch
    TensorFlow:
    Keras:
    JAX:
    scikit-learn: sklearn
    XGBoost: lightgbm
    Hugging Face: huggingface, transformers
    Model Serving: vllm, tensorrt, model inference, 模型部署, 模型推理
    MLOps: mlflow, kubeflow, sagemaker, vertex ai
    Recommender Systems: recommendation systems, recommendation system, recommender system, recommendation engine, 推荐系统, 推荐算法
    Search Engines: search engine, information retrieval, lucene, solr, 搜索引擎
    Reinforcement Learning: 强化学习
    Speech Recognition: asr, tts, 语音识别, 语音合成
    Feature Engineering: 特征工程
    Data Science: data scientist, 数据科学
    Quantitative Analysis: quantitative research, quant trading, 量化交易, 量化研究
  `,
}
