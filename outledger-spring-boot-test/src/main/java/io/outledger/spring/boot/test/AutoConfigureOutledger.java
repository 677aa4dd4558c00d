// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Adds Outledger to a test of Spring Boot, such as one with {@code @SpringBootTest} or
 * {@code @DataJpaTest}. No relay runs in the background, and nothing is published: the test runs
 * the application's handlers through an injected {@link io.outledger.junit.TestRelays}, whose
 * description says more. {@link OutledgerTest} has it.
 *
 * <p>The database is H2 in memory if H2 and {@code outledger-h2} are on the class path, unless the
 * test names another by a service connection, by {@code @DynamicPropertySource}, or by a property
 * {@code spring.datasource.url} of its own. The tables are made at the start, unless {@code
 * outledger.schema-initialization} says otherwise.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface AutoConfigureOutledger {}
