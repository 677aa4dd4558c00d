// SPDX-License-Identifier: Apache-2.0
/** What Outledger does in a Spring Boot application, the same on every line of Boot. */
@NullMarked
package io.outledger.spring.contract;

import org.jspecify.annotations.NullMarked;
