CREATE TABLE IF NOT EXISTS task_partition (
    id       INT    NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL,
    epoch    BIGINT NOT NULL
);
