INSERT INTO task_partition (id, position, epoch)
SELECT n, 0, 0 FROM (VALUES (0), (1), (2), (3), (4), (5), (6), (7)) AS numbers (n)
WHERE NOT EXISTS (SELECT 1 FROM task_partition WHERE id = n);
