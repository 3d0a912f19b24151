/**
 * ZooKeeper of Docker Compose. Needs {@code spring-boot-docker-compose}, which only development has.
 */
@NullMarked
package dev.elasticjob.spring.dockercompose;

import org.jspecify.annotations.NullMarked;
