// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.SpringJpaGapsContract;

/** On this line of Spring Boot. */
class SpringJpaGaps35IT extends SpringJpaGapsContract {}
