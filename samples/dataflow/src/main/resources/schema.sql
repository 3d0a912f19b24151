CREATE TABLE IF NOT EXISTS payment (
    id       BIGINT       PRIMARY KEY,
    receiver VARCHAR(200) NOT NULL,
    cents    BIGINT       NOT NULL,
    state    VARCHAR(10)  NOT NULL
);
