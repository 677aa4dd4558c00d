// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.SpringJpaGapsContract;

/** On this line of Spring Boot. */
class SpringJpaGaps41IT extends SpringJpaGapsContract {}
