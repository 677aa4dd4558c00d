// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.SpringCommitContract;

/** On this line of Spring Boot. */
class SpringCommit35IT extends SpringCommitContract {}
