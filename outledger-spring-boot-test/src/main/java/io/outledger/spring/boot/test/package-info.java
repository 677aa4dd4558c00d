// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of applications with Spring Boot: {@link io.outledger.spring.boot.test.OutledgerTest}
 * starts what events and handlers need, and no more.
 */
@NullMarked
package io.outledger.spring.boot.test;

import org.jspecify.annotations.NullMarked;
