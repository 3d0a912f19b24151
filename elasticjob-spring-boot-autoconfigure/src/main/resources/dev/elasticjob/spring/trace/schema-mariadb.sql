-- The event trace. Times are UTC. The upper part of each table has Elastic-Job's columns.

CREATE TABLE IF NOT EXISTS JOB_EXECUTION_LOG (
  id VARCHAR(40) NOT NULL,
  job_name VARCHAR(255) NOT NULL,
  task_id VARCHAR(255) NOT NULL,
  hostname VARCHAR(255) NOT NULL,
  ip VARCHAR(50) NOT NULL,
  sharding_item INT NOT NULL,
  execution_source VARCHAR(20) NOT NULL,
  failure_cause MEDIUMTEXT NULL,
  is_success INT NOT NULL,
  start_time DATETIME(3) NULL,
  complete_time DATETIME(3) NULL,
  run_id VARCHAR(1100) NULL,
  scheduled_time DATETIME(3) NULL,
  attempt INT NULL,
  run_trigger VARCHAR(20) NULL,
  actor VARCHAR(255) NULL,
  outcome VARCHAR(20) NULL,
  instance VARCHAR(255) NULL,
  retries INT NULL,
  missed_firings INT NULL,
  PRIMARY KEY (id),
  KEY JOB_EXECUTION_JOB_INDEX (job_name, scheduled_time, id),
  KEY JOB_EXECUTION_TIME_INDEX (scheduled_time, id),
  KEY JOB_EXECUTION_OUTCOME_INDEX (outcome, scheduled_time, id),
  KEY JOB_EXECUTION_RUN_INDEX (run_id(128))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS JOB_STATUS_TRACE_LOG (
  id VARCHAR(40) NOT NULL,
  job_name VARCHAR(255) NOT NULL,
  original_task_id VARCHAR(255) NOT NULL,
  task_id VARCHAR(255) NOT NULL,
  slave_id VARCHAR(255) NOT NULL,
  source VARCHAR(50) NOT NULL,
  execution_type VARCHAR(20) NOT NULL,
  sharding_item VARCHAR(100) NOT NULL,
  state VARCHAR(20) NOT NULL,
  message TEXT NULL,
  creation_time DATETIME(3) NULL,
  execution_id VARCHAR(40) NULL,
  run_id VARCHAR(1100) NULL,
  scheduled_time DATETIME(3) NULL,
  attempt INT NULL,
  run_trigger VARCHAR(20) NULL,
  actor VARCHAR(255) NULL,
  PRIMARY KEY (id),
  KEY JOB_STATUS_EXECUTION_INDEX (execution_id),
  KEY JOB_STATUS_TIME_INDEX (creation_time)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Commands of operators, also those that were refused.
CREATE TABLE IF NOT EXISTS JOB_COMMAND_LOG (
  id VARCHAR(40) NOT NULL,
  ended_time DATETIME(3) NOT NULL,
  job_name VARCHAR(255) NOT NULL,
  command TEXT NOT NULL,
  actor VARCHAR(255) NOT NULL,
  reason TEXT NULL,
  state_before TEXT NULL,
  is_success INT NOT NULL,
  outcome TEXT NULL,
  hostname VARCHAR(255) NOT NULL,
  PRIMARY KEY (id),
  KEY JOB_COMMAND_TIME_INDEX (ended_time, id),
  KEY JOB_COMMAND_JOB_INDEX (job_name, ended_time, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Which instance deletes old rows.
CREATE TABLE IF NOT EXISTS JOB_TRACE_LEASE (
  name VARCHAR(40) NOT NULL,
  holder VARCHAR(40) NOT NULL,
  lease_until DATETIME(3) NOT NULL,
  PRIMARY KEY (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

